package notebook

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// notebookFolder creates a project with one notebook source and makes it the test's working directory.
func notebookFolder(t *testing.T, source string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Join("notebooks", "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("notebooks", "src", "x.md"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestNotebook_BuildAndCheck(t *testing.T) {
	notebookFolder(t, "# Title\n\nprose\n")
	steps := []struct {
		args   []string
		code   int
		stdout string
	}{
		{[]string{"notebook", "check", "--no-run"}, cli.ExitFailed, ""},
		{[]string{"notebook", "build"}, cli.ExitDone, filepath.Join("notebooks", "x.ipynb") + "\n"},
		{[]string{"notebook", "check", "--no-run"}, cli.ExitDone, "1 notebooks are up to date\n"},
		{[]string{"notebook", "build", filepath.Join("notebooks", "src", "x.md")}, cli.ExitDone,
			filepath.Join("notebooks", "x.ipynb") + "\n"},
	}
	for _, step := range steps {
		var stdout, stderr bytes.Buffer
		if code := cmd(step.args, &stdout, &stderr); code != step.code || stdout.String() != step.stdout {
			t.Errorf("%v: code %d, %q, %q", step.args, code, stdout.String(), stderr.String())
		}
	}
	if err := os.WriteFile(filepath.Join("notebooks", "src", "x.md"), []byte("# Another\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := cmd([]string{"notebook", "check", "--no-run"}, &stdout, &stderr); code != cli.ExitCheck ||
		!strings.Contains(stdout.String(), "cell 1 (# Another): differs from its source") {
		t.Errorf("a source that moved on: code %d, %q, %q", code, stdout.String(), stderr.String())
	}
}

func TestNotebook_WrongUsage(t *testing.T) {
	notebookFolder(t, "```go\n")
	tests := map[string]struct {
		args      []string
		code      int
		complaint string
	}{
		"an unknown verb": {[]string{"notebook", "bild"}, cli.ExitUsage,
			`no notebook verb "bild"; do you mean build?`},
		"a wrong ending":    {[]string{"notebook", "build", "x.ipynb"}, cli.ExitUsage, "does not end in .md"},
		"a source at fault": {[]string{"notebook", "build"}, cli.ExitFailed, "x.md:1: the fence does not end"},
		"no kernel":         {[]string{"notebook", "run", "--kernel", "none", "x.ipynb"}, cli.ExitFailed, "x.ipynb"},
		"two for one output": {[]string{"notebook", "run", "-o", "y.ipynb", "a.ipynb", "b.ipynb"}, cli.ExitUsage,
			"takes one notebook, not 2"},
		"an answer half": {[]string{"notebook", "answer", "a/b"}, cli.ExitUsage,
			"expected an exercise's name and its answer"},
		"an answer no hint": {[]string{"notebook", "answer", "a/b", "1"}, cli.ExitUsage, "--hint"},
		"words on a grid": {[]string{"notebook", "answer", "a/b", "many", "--grid", "1", "--hint", "h"}, cli.ExitUsage,
			`"many" is not a number`},
		"a grid that is none": {[]string{"notebook", "answer", "a/b", "1", "--grid", "-1", "--hint", "h"},
			cli.ExitUsage,
			"grid of -1"},
	}
	for name, test := range tests {
		var stdout, stderr bytes.Buffer
		if code := cmd(test.args, &stdout, &stderr); code != test.code ||
			!strings.Contains(stderr.String(), test.complaint) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: code %d, %q, want %d and %q in one line", name, code, stderr.String(), test.code,
				test.complaint)
		}
	}
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	if code := cmd([]string{"notebook", "build"}, &stdout, &stderr); code != cli.ExitUsage ||
		!strings.Contains(stderr.String(), "there is no notebooks/src/*.md here") {
		t.Errorf("elsewhere: code %d, %q", code, stderr.String())
	}
}

// The exercise that "notebook answer" prints accepts its own answer and rejects another.
func TestAnswer_SolvesItself(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := cmd([]string{"notebook", "answer", "a/b", "0.25", "--grid", "0.01", "--hint", "halve a half"}, &stdout,
		&stderr); code != cli.ExitDone {
		t.Fatalf("code %d, %q", code, stderr.String())
	}
	var e kernelext.Exercise
	if err := json.Unmarshal(stdout.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if right, err := e.Right(.25); err != nil || !right {
		t.Errorf("right %v, %v", right, err)
	}
	if right, err := e.Right(.3); err != nil || right {
		t.Errorf("a wrong answer: right %v, %v", right, err)
	}
}

func TestAfresh_IgnoresUsersRuns(t *testing.T) {
	t.Setenv(store.HomeVariable, "of the user")
	variables, clear, err := (&notebookRuns{afresh: true}).laboratory()
	if err != nil || len(variables) != 1 {
		t.Fatalf("variables %q, %v", variables, err)
	}
	folder, ok := strings.CutPrefix(variables[0], store.HomeVariable+"=")
	entries, err := os.ReadDir(folder)
	if !ok || err != nil || len(entries) > 0 {
		t.Errorf("%q names a folder with %v, %v", variables[0], entries, err)
	}
	clear()
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder is left behind: %v", err)
	}
	if variables, _, _ := (&notebookRuns{}).laboratory(); len(variables) > 0 {
		t.Errorf("without it, cells get %q", variables)
	}
}
