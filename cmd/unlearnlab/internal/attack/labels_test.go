package attack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// labelledAs writes a file with a label for every picture of an attack and returns its path.
func labelledAs(t *testing.T, folder string, shown func(model, psi, seed string) string) (file string) {
	t.Helper()
	list, err := safefile.ReadWords(filepath.Join(folder, listFile), listColumns...)
	if err != nil {
		t.Fatal(err)
	}
	labels := safefile.Column{Name: "shown", Texts: []string{}}
	for row, name := range list.Columns[0].Texts {
		if _, err := safefile.ReadImage(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		labels.Texts = append(labels.Texts, shown(list.Columns[1].Texts[row], list.Columns[2].Texts[row],
			list.Columns[3].Texts[row]))
	}
	file = filepath.Join(t.TempDir(), "labels.csv")
	if err := safefile.WriteCSV(file, []safefile.Column{list.Columns[0], labels}); err != nil {
		t.Fatal(err)
	}
	return file
}

// Labels that repeat the answers of a CLIP model give the same curves and verdicts.
func TestLabels_EqualClassifier(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), t.TempDir()
	clip := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors"} {
		clitest.Put(t, clip, name, clitest.Read(t, "../../../../unlearnkit/zoo/clip/testdata/transformers/"+name))
	}
	for _, name := range []string{"vocab.json", "merges.txt"} {
		clitest.Put(t, clip, name, clitest.Read(t,
			"../../../../unlearnkit/attack/partialdiffusion/testdata/zeroshot/"+name))
	}
	var drawn, judged attackReport
	attackedWith(t, &drawn, "--original", original, "--unlearned", "esd="+other, "--unlearned", "sdd="+original,
		"--gold", original, "--prompt", "a b", "--seeds", "3", "--classifier", clip, "--concept-text", "a bad cab",
		"--other-text", "a", "--pictures", "--out", out)
	rows, err := safefile.ReadParquet(filepath.Join(out, rowsFile))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for i, model := range rows.Column("model").Texts {
		key, _ := json.Marshal([]any{model, rows.Column("budget").Values[i], rows.Column("unit").Values[i]})
		said[string(key)] = map[bool]string{true: "yes", false: "0"}[rows.Column("recovered").Values[i] == 1]
	}
	file := labelledAs(t, out, func(model, psi, seed string) string {
		value := json.RawMessage(strings.Replace(psi, ".", "0.", 1))
		key, err := json.Marshal([]any{model, value, json.RawMessage(seed)})
		if err != nil || said[string(key)] == "" {
			t.Fatalf("%s: got the error %v, want said[string(key)] not empty", key, err)
		}
		return said[string(key)]
	})
	before := clitest.Read(t, filepath.Join(out, curvesFile))
	code, stdout, stderr := cmd.Run("attack", "labels", out, file, "--json")
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &judged); err != nil {
		t.Fatal(err)
	}
	recovered := func(r attackReport) (points []string) {
		for _, c := range r.Curves {
			if c.Column == "recovered" {
				text, _ := json.Marshal([]any{c.Model, c.Points, c.Area, c.Passes})
				points = append(points, string(text))
			}
		}
		text, _ := json.Marshal(r.Judgements)
		return append(points, string(text))
	}
	if got, want := recovered(judged), recovered(drawn); len(want) != 4 || !slices.Equal(got, want) {
		t.Errorf("labels:\n%s\nCLIP:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, stdout, _ = cmd.Run("attack", "labels", out, file); !strings.Contains(stdout,
		"if none of 2 models has a gain, at least one seems to conceal with a probability of up to 5 %") {
		t.Errorf("%s does not say what several models take", stdout)
	}
	if clitest.Read(t, filepath.Join(out, curvesFile)) != before {
		t.Error("the attack's own curves are gone")
	}
	for _, path := range judged.Files {
		if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, filepath.Join(out, "judged")) {
			t.Errorf("%s: got the error %v, want %q at the beginning of path",
				path, err, filepath.Join(out, "judged"))
		}
	}
}

func TestLabels_ManyPrompts(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), t.TempDir()
	clitest.Put(t, out, "p.csv", "prompt\na\nb c\ncab\n")
	var drawn, judged promptsReport
	attackedWith(t, &drawn, "--original", original, "--unlearned", other, "--gold", original, "--seeds", "2",
		"--prompts", filepath.Join(out, "p.csv"), "--pictures", "--out", out)
	// The unlearned model shows the concept wherever it completes the original's picture (ψ > 0), the original and gold
	// only at ψ = 1.
	file := labelledAs(t, out, func(model, psi, _ string) string {
		return map[bool]string{true: "1", false: "0"}[model == "unlearned" && psi != "0" || psi == "1"]
	})
	code, stdout, stderr := cmd.Run("attack", "labels", out, file, "--json", "--out", filepath.Join(out, "people"))
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &judged); err != nil {
		t.Fatal(err)
	}
	j := judged.Judgements
	if len(j) != 1 || j[0].Units != 3 || *j[0].Left.Estimate != 0 || *j[0].Gain.Estimate != 1 ||
		len(judged.Means) != 2 {
		t.Errorf("got %+v, want 1 j, j[0].Units 3, *j[0].Left.Estimate 0, *j[0].Gain.Estimate 1, 2 Means", judged)
	}
	if code, stdout, _ := cmd.Run("attack", "labels", out, file); code != cli.ExitDone ||
		!strings.Contains(stdout, "3 prompts") || !strings.Contains(stdout, filepath.Join(out, "judged", scoresFile)) {
		t.Errorf("exit %d: %s", code, stdout)
	}
}

func TestLabels_Misfit(t *testing.T) {
	original, out := pipelineFolder(t, false), t.TempDir()
	var drawn attackReport
	attackedWith(t, &drawn, "--original", original, "--unlearned", original, "--prompt", "a", "--seeds", "1",
		"--pictures", "--out", out)
	good := labelledAs(t, out, func(string, string, string) string { return "0" })
	rows := strings.SplitAfter(clitest.Read(t, good), "\n")
	clitest.Put(t, out, "fewer.csv", strings.Join(rows[:3], ""))
	clitest.Put(t, out, "more.csv", clitest.Read(t, good)+"pictures/other.png,1\n")
	clitest.Put(t, out, "twice.csv", clitest.Read(t, good)+rows[1])
	clitest.Put(t, out, "blank.csv", strings.Replace(clitest.Read(t, good), ",0\n", ",\n", 1))
	clitest.Put(t, out, "columns.csv", "file\na.png\n")
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "the folder of an attack and a file of labels", []string{out}},
		{cli.ExitFailed, "there is no attack; expected curves.json", []string{t.TempDir(), good}},
		{cli.ExitFailed, "no such file", []string{filepath.Join(out, "none"), good}},
		{cli.ExitFailed, "2 of 4 pictures have no label; the first is pictures/unlearned-.75-42.png",
			[]string{out, filepath.Join(out, "fewer.csv")}},
		{cli.ExitFailed, "pictures/other.png is not a picture of this attack",
			[]string{out, filepath.Join(out, "more.csv")}},
		{cli.ExitFailed, "has a label already", []string{out, filepath.Join(out, "twice.csv")}},
		{cli.ExitFailed, `row 1: the label "" of pictures/unlearned-0-42.png is not 1 or 0`,
			[]string{out, filepath.Join(out, "blank.csv")}},
		{cli.ExitFailed, "shown", []string{out, filepath.Join(out, "columns.csv")}},
		{cli.ExitFailed, "no such file", []string{out, filepath.Join(out, "none.csv")}},
	} {
		cmd.Refused(t, test.code, test.says, append([]string{"attack", "labels"}, test.args...)...)
	}
	if _, err := os.Stat(filepath.Join(out, "judged")); err == nil {
		t.Error("something is written of labels that do not fit")
	}
}
