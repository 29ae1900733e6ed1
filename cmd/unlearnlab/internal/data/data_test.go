package data

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

const downloadedSALMU = "../../../../unlearnkit/corpus/salmu512/testdata"

// importedSALMU and checkedSALMU hold what import and check print about SALMU's data set.
type (
	importedSALMU struct {
		imported
		Reports []salmu512.Report `json:"reports"`
	}
	checkedSALMU struct {
		checked
		Data []salmu512.Report `json:"data"`
	}
)

// laboratory creates the test's home with two results of one stage, and returns both. Of the results that ship, which
// take seconds to read, only those of the named papers are below it.
func laboratory(t *testing.T, shelves ...string) (home string, artifacts []*store.Artifact) {
	t.Helper()
	withShelves(t, shelves)
	home = t.TempDir()
	t.Setenv(store.HomeVariable, home)
	s, err := store.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 2 {
		a, err := s.Do(t.Context(), store.Stage{Name: "test/numbers", Version: 1}, seed, nil,
			func(_ context.Context, w *store.Work) error {
				return os.WriteFile(w.Path("numbers.txt"), []byte(strings.Repeat("7", 1000)), 0o644)
			})
		if err != nil {
			t.Fatal(err)
		}
		artifacts = append(artifacts, a)
	}
	return home, artifacts
}

// withShelves leaves out the results that ship until the test ends, except those of the named papers.
func withShelves(t *testing.T, names []string) {
	t.Helper()
	all := papers.All
	t.Cleanup(func() { papers.All = all })
	papers.All = nil
	for _, s := range all {
		bare := *s
		if !slices.Contains(names, s.Paper) {
			bare.Shelf = nil
		}
		papers.All = append(papers.All, &bare)
	}
}

// object runs a command, which must print one JSON object, and returns the object.
func object[T any](t *testing.T, wantCode int, args ...string) (value T) {
	t.Helper()
	code, stdout, stderr := cmd.Run(args...)
	if err := json.Unmarshal([]byte(stdout), &value); err != nil || code != wantCode {
		t.Fatalf("%v: exit %d, %v\n%s%s", args, code, err, stdout, stderr)
	}
	return value
}

func TestImport_FoundAgain(t *testing.T) {
	home, _ := laboratory(t)
	done := object[importedSALMU](t, cli.ExitDone, "data", "import", "salmu", downloadedSALMU, "--json")
	if !done.OK || len(done.Reports) != 2 || len(done.Registered) != 2 ||
		!filepath.IsAbs(done.Registered["salmu/benchmark"]) {
		t.Errorf("%+v", done)
	}
	listed := object[stored](t, cli.ExitDone, "data", "list", "--json")
	if len(listed.Data) != 2 || listed.Data[0].Name != "salmu/benchmark" || !listed.Data[0].There ||
		listed.Home != home ||
		!slices.Contains(listed.Artifacts, stageContent{"test/numbers", 2, 2000}) || len(listed.Damaged) != 0 {
		t.Errorf(`got %+v, want 2 Data, Data[0].Name "salmu/benchmark", Data[0].There true, Home %v, %v among `+
			`Artifacts, 0 Damaged`,
			listed, home, stageContent{"test/numbers", 2, 2000})
	}
	found := object[checkedSALMU](t, cli.ExitDone, "data", "check", "--json", "--deep")
	if !found.OK || found.Artifacts != 2 || len(found.Data) != 2 || found.Data[1].Decoded != 24 {
		t.Errorf("got %+v, want OK true, 2 Artifacts, 2 Data, Data[1].Decoded 24", found)
	}
	for args, want := range map[string]string{
		"data import salmu " + downloadedSALMU + "/benchmark": "registered as salmu/benchmark\n",
		"data list":  "test/numbers                     2 results        0.0 MB\n",
		"data check": home + ": 2 results read, 0 damaged\n",
	} {
		if code, stdout, stderr := cmd.Run(strings.Fields(args)...); code != cli.ExitDone ||
			!strings.Contains(stdout, want) {
			t.Errorf("%s: exit %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

func TestImport_Incomplete(t *testing.T) {
	home, _ := laboratory(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(downloadedSALMU, "benchmark"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "data", "forget-00001-of-00004.parquet")); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := cmd.Run("data", "import", "salmu", dir)
	if code != cli.ExitCheck || stderr != "" ||
		!strings.Contains(stdout, "error: data/forget-00001-of-00004.parquet: the file is missing\n") ||
		!strings.Contains(stdout, "not registered") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	if done := object[importedSALMU](t, cli.ExitCheck, "data", "import", "salmu", filepath.Join(dir, "nowhere"),
		"--json"); done.OK || len(done.Registered) != 0 || len(done.Reports[0].Findings) != 1 {
		t.Errorf("got %+v, want OK false, 0 Registered, length 1 of Reports[0].Findings", done)
	}
	if listed := object[stored](t, cli.ExitDone, "data", "list", "--json", "--home", home); len(listed.Data) != 0 {
		t.Errorf("got %+v, want length 0", listed.Data)
	}
}

// The results that ship are read too. The packages in data/results check those of all papers.
func TestCheck_Shipped(t *testing.T) {
	home, _ := laboratory(t, "salmu")
	s, err := studies.OpenStore(home)
	if err != nil {
		t.Fatal(err)
	}
	manifests, damaged, err := s.List()
	if len(manifests) < 100 || len(damaged) > 0 || err != nil {
		t.Fatalf("%d results, %v damaged, %v", len(manifests), damaged, err)
	}
	want := fmt.Sprintf("store %s: %d results read, 0 damaged\n", home, len(manifests))
	if got := cmd.Succeed(t, "data", "check"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Damaged artifacts are listed, and are moved aside on request.
func TestStore_Damage(t *testing.T) {
	home, artifacts := laboratory(t)
	path := artifacts[0].Path("numbers.txt")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("7", 999)+"1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(artifacts[1].Dir, "manifest.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := cmd.Run("data", "check")
	if code != cli.ExitCheck || !strings.Contains(stdout,
		"DAMAGED "+artifacts[0].Dir+": numbers.txt: its SHA-256 is") ||
		!strings.Contains(stdout, "DAMAGED "+artifacts[1].Dir+": manifest.json") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
	if err := os.MkdirAll(filepath.Join(home, "work", string(artifacts[0].Key), "new"), 0o755); err != nil {
		t.Fatal(err)
	}
	if found := object[checked](t, cli.ExitCheck, "data", "check", "--json", "--repair"); found.OK ||
		found.Swept != 1 ||
		len(found.Damaged) != 2 || len(found.MovedTo) != 2 ||
		!strings.HasPrefix(found.MovedTo[0], filepath.Join(home, "damaged")) {
		t.Errorf("got %+v, want OK false, Swept 1, 2 Damaged, 2 MovedTo, %q at the beginning of MovedTo[0]",
			found, filepath.Join(home, "damaged"))
	}
	if found := object[checked](t, cli.ExitDone, "data", "check", "--json"); !found.OK ||
		found.Artifacts != 0 {
		t.Errorf("got %+v, want OK true, no Artifacts", found)
	}
}

func TestData_WrongUsage(t *testing.T) {
	laboratory(t)
	older := clitest.File(t, "store.json", `{"format":"unlearnlab store","version":9}`)
	for args, want := range map[string]struct {
		code int
		says string
	}{
		"data move":                {cli.ExitUsage, `no data verb "move"`},
		"data import salmu":        {cli.ExitUsage, "expected salmu or remem or unslu and the folder"},
		"data import imagenet DIR": {cli.ExitUsage, "expected salmu or remem or unslu"},
		"data list x":              {cli.ExitUsage, "expected no argument"},
		"data list --home " + filepath.Dir(older): {cli.ExitFailed, "it has format 9, this program knows format 1"},
	} {
		code, _, stderr := cmd.Run(strings.Fields(args)...)
		if code != want.code || !strings.Contains(stderr, want.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
	}
}
