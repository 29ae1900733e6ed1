package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kerneltest"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
)

// handIn writes a notebook with an output for each of up to two exercises.
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

func TestGrades_Read(t *testing.T) {
	folder := t.TempDir()
	handIn(t, filepath.Join(folder, "ada", "one.ipynb"), "✓ week1/share: right.", "✗ week1/why: not yet. Think.")
	handIn(t, filepath.Join(folder, "ada", ".ipynb_checkpoints", "one.ipynb"), "✓ week1/share: right.",
		"✓ week1/why: right.")
	handIn(t, filepath.Join(folder, "emmy.ipynb"), "– week1/share: not answered yet.", "")
	if err := os.WriteFile(filepath.Join(folder, "torn.ipynb"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := cmd.Succeed(t, "notebook", "grade", folder)
	for _, want := range []string{"ada", "1 of 2  ✓      ✗", "0 of 2  –      ·", "torn: notebook ",
		"can be written by hand"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	var found struct{ Rows []submission }
	err := json.Unmarshal([]byte(cmd.Succeed(t, "notebook", "grade", folder, "--json")), &found)
	all := found.Rows
	if err != nil || len(all) != 3 || all[0].Student != "ada" || all[0].Solved != 1 ||
		all[1].Attempts[1].Outcome != notebook.NotRun ||
		all[2].Problem == "" {
		t.Errorf(`got %v %+v, want 3 all, [0].Student "ada", [0].Solved 1, [1].Attempts[1].Outcome %v, `+
			`[2].Problem not empty`,
			err, all, notebook.NotRun)
	}
	cmd.Refused(t, cli.ExitUsage, "contains no notebook", "notebook", "grade", t.TempDir())
	cmd.Refused(t, cli.ExitUsage, "there is no folder", "notebook", "grade", filepath.Join(folder, "nobody"))
}

// A fake kernel runs the notebook. Below the line that marks a cell as an exercise, the cell has commands for the
// kernel.
func TestGrades_Run(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	data := t.TempDir()
	t.Setenv("JUPYTER_PATH", data)
	spec, err := json.Marshal(map[string]any{"argv": kerneltest.Argv()})
	if err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(data, "kernels", "fake")
	if err := os.MkdirAll(place, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "kernel.json"), spec, 0o644); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	const share, why = "kx.Check(\"week1/share\", 0)\n", "kx.Check(\"week1/why\", 0)\n"
	const right, wrong = "print ✓ week1/share: right.", "print ✗ week1/why: not yet."
	hand := func(name string, cells ...string) {
		n := &notebook.Notebook{Minor: 5}
		for i, source := range cells {
			n.Cells = append(n.Cells, &notebook.Cell{ID: fmt.Sprint("cell-", i), Type: notebook.Code, Source: source,
				Outputs: []*notebook.Output{{Type: notebook.Stream, Text: "✓ week1/why: right.\n"}}})
		}
		if err := n.WriteFile(filepath.Join(folder, name+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	hand("ada", share+right, why+"print ✓ week1/why: right.")
	hand("claims", share+"print – week1/share: not answered yet.", why+wrong)
	hand("fails", "fail undefined: x", share+right, why+wrong)
	hand("loops", share+right, "sleep", why+wrong)
	if err := os.WriteFile(filepath.Join(folder, "torn.ipynb"), []byte("Dear teacher"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, got, told := cmd.Run("notebook", "grade", folder, "--run", "--kernel", "fake", "--timeout", "1s")
	if code != cli.ExitDone || !strings.Contains(told, "ada/ada.ipynb 2/2 cell 2") {
		t.Errorf("exit %d, and it tells\n%s", code, told)
	}
	for _, want := range []string{"ada      2 of 2  ✓      ✓", "claims   0 of 2  –      ✗", "fails    1 of 2  ✓      ✗",
		"loops    1 of 2  ✓      ✗", "torn     0 of 2", "fails: fails.ipynb: cell 1 (fail undefined: x): undefined: x",
		"loops: loops.ipynb: cell 2 (sleep): not finished within 1s", "torn: notebook "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	_, got, _ = cmd.Run("notebook", "grade", folder, "--run", "--kernel", "fake", "--limit", "2s")
	for _, want := range []string{"loops    1 of 2  ✓      ·",
		"loops: loops.ipynb: cell 2 (sleep): interrupted: the notebook takes longer than --limit"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	cmd.Refused(t, cli.ExitFailed, `kernel "absent" is not installed`, "notebook", "grade", folder, "--run", "--kernel",
		"absent")
}

func TestAnswer_File(t *testing.T) {
	path := filepath.Join(t.TempDir(), "exercises.json")
	got := cmd.Succeed(t, "notebook", "answer", "week1/why", "leak", "--choices", "leak,noise", "--hint", "Think.",
		"--into", path)
	if got != path+": kx.Check(\"week1/why\", answer)\n" {
		t.Errorf("got %v, want %q", got, path+": kx.Check(\"week1/why\", answer)\n")
	}
	list, err := kernelext.ReadExercises(path)
	if err != nil || len(list) != 1 {
		t.Fatalf("got %v, %v, want 1 list", list, err)
	}
	if right, err := list[0].Right("a leak"); err != nil || !right {
		t.Errorf("got %v, %v, want right true", right, err)
	}
	cmd.Refused(t, cli.ExitUsage, "is not among the words", "notebook", "answer", "a", "b", "--choices", "c,d",
		"--hint", "x")
}

func TestGrades_Exports(t *testing.T) {
	folder, out := t.TempDir(), t.TempDir()
	handIn(t, filepath.Join(folder, "ada", "one.ipynb"), "✓ week1/share: right.", "✗ week1/why: not yet. Think.")
	handIn(t, filepath.Join(folder, "emmy.ipynb"), "– week1/share: not answered yet.", "")
	moodle, nbgrader := filepath.Join(out, "moodle.csv"), filepath.Join(out, "nbgrader.csv")
	cmd.Succeed(t, "notebook", "grade", folder, "--moodle", moodle, "--nbgrader", nbgrader, "--assignment", "week1",
		"--feedback", filepath.Join(out, "feedback"), "--points", "week1/share=3", "--tried", ".5")
	for path, want := range map[string]string{
		moodle: "Username,week1,week1 (maximum),week1 (feedback),week1/share,week1/why\n" +
			"ada,3.5,4,1 of 2 solved; open: week1/why,3,0.5\n" +
			"emmy,0,4,\"0 of 2 solved; open: week1/share, week1/why\",0,0\n",
		nbgrader: "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score," +
			"late_submission_penalty,score,max_score\nweek1,,,ada,,,,3.5,0,3.5,4\nweek1,,,emmy,,,,0,0,0,4\n",
		filepath.Join(out, "feedback", "ada.md"): "# week1: ada\n\n3.5 of 4 points, 1 of 2 exercises solved.\n\n" +
			"- ✓ week1/share, 3 of 3: right.\n- ✗ week1/why, 0.5 of 1: not yet. Think.\n",
	} {
		if got := clitest.Read(t, path); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
	}
	cmd.Refused(t, cli.ExitUsage, "--points week1/why=many: give a number", "notebook", "grade", folder, "--points",
		"week1/why=many")
	cmd.Refused(t, cli.ExitUsage, "--tried 2: give a share", "notebook", "grade", folder, "--tried", "2")
}
