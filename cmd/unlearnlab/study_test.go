package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// trainedHome trains SALMUBench's smoke preset in a home, once for all tests that need models.
var trainedHome = sync.OnceValue(func() (home string) {
	home = filepath.Join(os.Getenv(store.HomeVariable), "trained")
	if code, _, stderr := cmd.Run("run", "salmu", "--home", home); code != cli.ExitDone {
		panic(stderr)
	}
	return home
})

// smoke makes trainedHome the test's home, and returns SALMUBench's smoke plan and the store in that home.
func smoke(t *testing.T) (*salmu.Plan, *store.Store) {
	t.Helper()
	home := trainedHome()
	t.Setenv(store.HomeVariable, home)
	s, err := salmu.Study.OpenStore(home)
	if err != nil {
		t.Fatal(err)
	}
	return salmu.NewPlan(salmu.Smoke()), s
}

func TestStudy_MadeOnce(t *testing.T) {
	smoke(t)
	code, stdout, stderr := cmd.Run("run", "salmu", "--dry-run")
	if code != 0 || !strings.Contains(stdout, "33 runs, 0 missing") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"table", "salmu", "4"}, {"table", "salmu", "5", "--certified"},
		{"table", "salmu", "6", "--format", "tex"}, {"claims", "salmu"}} {
		code, stdout, stderr := cmd.Run(args...)
		_, again, _ := cmd.Run(args...)
		if code != 0 || stderr != "" || len(stdout) < 400 || again != stdout {
			t.Errorf("%v: exit %d %s\n%s", args, code, stderr, stdout)
		}
	}
}

func TestStudy_JSON(t *testing.T) {
	smoke(t)
	_, stdout, _ := cmd.Run("table", "salmu", "5", "--format", "json")
	var table struct {
		Paper, Table, Preset string
		Seeds                int
		Rows                 []map[string]any
	}
	if err := json.Unmarshal([]byte(stdout), &table); err != nil || table.Preset != "smoke" || table.Table != "5" ||
		table.Seeds != 1 || len(table.Rows) != 150 {
		t.Fatalf("%v: %d rows of %+v", err, len(table.Rows), table.Preset)
	}
	for _, row := range table.Rows {
		for _, key := range []string{"row", "column", "estimate", "lo", "hi", "n", "seeds", "p", "p_adjusted", "tost_p",
			"verdict", "printed"} {
			if _, there := row[key]; !there {
				t.Fatalf("no %q in %v", key, row)
			}
		}
		if row["printed"] == "" {
			t.Errorf("%v %v: what the paper prints is missing", row["row"], row["column"])
		}
	}
	_, stdout, _ = cmd.Run("claims", "salmu", "--json")
	var found struct{ Rows []map[string]any }
	err := json.Unmarshal([]byte(stdout), &found)
	claims := found.Rows
	if err != nil || len(claims) < 10 {
		t.Fatalf("got %v, %v, want at least 10 claims", err, len(claims))
	}
	fails := false
	for _, claim := range claims {
		for _, key := range []string{"paper", "claim", "source", "verdict", "statistic", "p", "p_adjusted", "preset"} {
			if _, there := claim[key]; !there {
				t.Fatalf("no %q in %v", key, claim)
			}
		}
		fails = fails || claim["verdict"] == study.NotSeen || claim["verdict"] == study.Contradicted
	}
	want := cli.ExitDone
	if fails {
		want = cli.ExitCheck
	}
	if code, _, _ := cmd.Run("claims", "salmu", "--strict"); code != want {
		t.Errorf("--strict exits with %d, though a claim fails: %v", code, fails)
	}
}

func TestVerify_SameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, _ := smoke(t)
	key := string(plan.Worlds[0].Methods[2].Key())
	code, stdout, stderr := cmd.Run("verify", key[:12], "--json")
	var v struct{ Outcome, Key, Title string }
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != 0 || v.Outcome != "the same bytes" ||
		v.Key != key || v.Title != "world 0: Direct Similarity Minimization" {
		t.Errorf("exit %d, %v: %s%s", code, err, stdout, stderr)
	}
}

func TestRun_KilledAndContinued(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, undisturbed := smoke(t)
	home := t.TempDir()
	kills := 0
	for delay := 500 * time.Millisecond; ; delay += 300 * time.Millisecond {
		c := exec.Command(os.Args[0], "run", "salmu", "--home", home, "--method", "finetuning,delete")
		c.Env = append(os.Environ(), clitest.AsCommand+"=1")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(delay, func() { c.Process.Kill() })
		err := c.Wait()
		kill.Stop()
		if err == nil {
			break
		}
		if kills++; kills == 40 {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills", kills)
	s, err := salmu.Study.OpenStore(home)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := plan.Of("finetuning", "delete")
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		first, err := undisturbed.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Same(first, second); err != nil {
			t.Errorf("%s: %v", run.Title, err)
		}
	}
}

func TestRun_TwoHomes(t *testing.T) {
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skip("set UNLEARNLAB_SLOW=1 to make a study from nothing, a quarter of a minute")
	}
	tables := map[string][][]string{
		"salmu": {{"table", "salmu", "4"}, {"table", "salmu", "5", "--certified"},
			{"table", "salmu", "6", "--format", "json"}, {"claims", "salmu"}},
		"concealment": {{"table", "concealment", "1", "--certified"}, {"table", "concealment", "2", "--format", "json"},
			{"table", "concealment", "verdicts"}, {"claims", "concealment"}},
	}
	written := func(paper, home string, more ...string) map[string]string {
		files, out := map[string]string{}, t.TempDir()
		code, paths, stderr := cmd.Run(append([]string{"figures", paper, "--home", home, "--out", out}, more...)...)
		if code != cli.ExitDone {
			t.Fatalf("got %v, %v, want code %v", code, stderr, cli.ExitDone)
		}
		for _, path := range strings.Fields(paths) {
			files[filepath.Base(path)] = clitest.Read(t, path)
		}
		for _, args := range tables[paper] {
			files[strings.Join(args, " ")] = cmd.Succeed(t, append(args, "--home", home)...)
		}
		return files
	}
	for paper := range tables {
		first, second := written(paper, t.TempDir()), written(paper, t.TempDir(), "--workers", "1")
		figures, err := filepath.Glob(filepath.Join("testdata", paper, "figure*.json"))
		if err != nil || len(first) != 3*len(figures)+len(tables[paper]) {
			t.Errorf("%s: %d files and tables", paper, len(first))
		}
		for name := range first {
			if first[name] != second[name] {
				t.Errorf("%s: %s is not the same from two homes", paper, name)
			}
		}
	}
}

// Exported results are read without computing anything.
func TestExport_NoComputing(t *testing.T) {
	smoke(t)
	folder := t.TempDir()
	if code, stdout, stderr := cmd.Run("run", "salmu", "--export", folder); code != 0 {
		t.Fatalf("got %v, %v, %v, want code 0", code, stdout, stderr)
	}
	s, err := store.Open(t.TempDir(), store.Above(publish.Open(os.DirFS(folder), folder)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := salmu.NewPlan(salmu.Smoke()).Read(s); err != nil {
		t.Error(err)
	}
}

func TestStore_OtherVersion(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(home+"/store.json", []byte(`{"format":"unlearnlab store","version":99}`),
		0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := cmd.Run("table", "salmu", "5", "--home", home)
	if code != cli.ExitFailed || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, home) {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
