package data

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profilefolder"
)

// importedPeople and checkedPeople hold what import and check print about data sets of people.
type (
	importedPeople struct {
		imported
		Reports []profilefolder.Report `json:"reports"`
	}
	checkedPeople struct {
		checked
		Data []profilefolder.Report `json:"data"`
	}
)

const downloadedPeople = "../../../../unlearnkit/corpus/profilefolder/testdata"

// people returns a folder with copies of the named downloads.
func people(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(downloadedPeople, name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImportPeople_FoundAgain(t *testing.T) {
	laboratory(t)
	dir := people(t, "records", "fiubench", "mllmu")
	done := object[importedPeople](t, cli.ExitDone, "data", "import", "remem", dir, "--json")
	if !done.OK || len(done.Reports) != 3 || done.Registered["people/records"] != filepath.Join(dir, "records") ||
		done.Registered["people/fiubench"] != filepath.Join(dir, "fiubench") ||
		done.Registered["people/mllmu"] != filepath.Join(dir, "mllmu") {
		t.Errorf(`got %+v, want OK true, 3 Reports, Registered["people/records"] %v, `+
			`Registered["people/fiubench"] %v, Registered["people/mllmu"] %v`,
			done, filepath.Join(dir, "records"), filepath.Join(dir, "fiubench"), filepath.Join(dir, "mllmu"))
	}
	listed := object[stored](t, cli.ExitDone, "data", "list", "--json")
	if len(listed.Data) != 3 || listed.Data[2].Name != "people/records" || !listed.Data[2].There {
		t.Errorf(`got %+v, want length 3, [2].Name "people/records", [2].There true`, listed.Data)
	}
	found := object[checkedPeople](t, cli.ExitDone, "data", "check", "--json", "--deep")
	if !found.OK || len(found.Data) != 3 || found.Data[0].Seen != 27 || found.Data[0].Counts[0].Single != 9 {
		t.Errorf("got %+v, want OK true, 3 Data, Data[0].Seen 27, Data[0].Counts[0].Single 9", found)
	}
	code, stdout, stderr := cmd.Run("data", "import", "remem", filepath.Join(dir, "records"))
	for _, want := range []string{": 3 people, 27 pictures, 27 of them decoded\n",
		"  train                  9         9         3          3\n",
		"warning: it is not the published set: people: 3", "registered as people/records\n"} {
		if code != cli.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d, no %q\n%s%s", code, want, stdout, stderr)
		}
	}
}

func TestImportPeople_Incomplete(t *testing.T) {
	laboratory(t)
	dir := people(t, "lines")
	if err := os.RemoveAll(filepath.Join(dir, "lines", "images")); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		dir:         "error: 22 more pictures are missing: unpack or download them again\n",
		t.TempDir(): ": no data set of people is in it; looked for full.json (FIUBench), ",
	} {
		code, stdout, stderr := cmd.Run("data", "import", "remem", folder)
		if code != cli.ExitCheck || stderr != "" || !strings.Contains(stdout, want) ||
			!strings.HasSuffix(stdout, "not registered: repair the errors and import it again\n") {
			t.Errorf("exit %d\n%s%s", code, stdout, stderr)
		}
	}
	if listed := object[stored](t, cli.ExitDone, "data", "list", "--json"); len(listed.Data) != 0 {
		t.Errorf("got %+v, want length 0", listed.Data)
	}
}
