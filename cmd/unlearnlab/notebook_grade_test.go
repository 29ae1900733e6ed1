package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/notebook"
)

// handIn writes a notebook with the outputs of two exercises.
func handIn(t *testing.T, path string, says ...string) {
	t.Helper()
	n := &notebook.Notebook{Minor: 5}
	for i, text := range says {
		name := []string{"week1/share", "week1/why"}[i]
		c := &notebook.Cell{ID: strings.ReplaceAll(name, "/", "-"), Type: notebook.Code,
			Source: "%%\nkx.Check(\"" + name + "\", answer)"}
		if text != "" {
			c.Outputs = []*notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"text/plain": text}}}
		}
		n.Cells = append(n.Cells, c)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := n.WriteFile(path); err != nil {
		t.Fatal(err)
	}
}

func TestGradesAreReadFromWhatWasHandedIn(t *testing.T) {
	folder := t.TempDir()
	handIn(t, filepath.Join(folder, "ada", "one.ipynb"), "✓ week1/share: right.", "✗ week1/why: not yet. Think.")
	handIn(t, filepath.Join(folder, "ada", ".ipynb_checkpoints", "one.ipynb"), "✓ week1/share: right.",
		"✓ week1/why: right.")
	handIn(t, filepath.Join(folder, "emmy.ipynb"), "– week1/share: not answered yet.", "")
	if err := os.WriteFile(filepath.Join(folder, "torn.ipynb"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := succeed(t, "notebook", "grade", folder)
	for _, want := range []string{"ada", "1 of 2  ✓      ✗", "0 of 2  –      ·", "torn: notebook ",
		"can be written by hand"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	var all []submission
	if err := json.Unmarshal([]byte(succeed(t, "notebook", "grade", folder, "--json")), &all); err != nil ||
		len(all) != 3 || all[0].Student != "ada" || all[0].Solved != 1 ||
		all[1].Attempts[1].Outcome != notebook.NotRun ||
		all[2].Problem == "" {
		t.Errorf("%v %+v", err, all)
	}
	refused(t, exitUsage, "has no notebook in it", "notebook", "grade", t.TempDir())
	refused(t, exitUsage, "no such file", "notebook", "grade", filepath.Join(folder, "nobody"))
}

func TestAnExerciseOfATeacherGoesIntoAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "exercises.json")
	got := succeed(t, "notebook", "answer", "week1/why", "leak", "--choices", "leak,noise", "--hint", "Think.",
		"--into", path)
	if got != path+": kx.Check(\"week1/why\", answer)\n" {
		t.Error(got)
	}
	list, err := kernelext.ReadExercises(path)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if right, err := list[0].Right("a leak"); err != nil || !right {
		t.Errorf("%v, %v", right, err)
	}
	refused(t, exitUsage, "is not among the words", "notebook", "answer", "a", "b", "--choices", "c,d", "--hint", "x")
}
