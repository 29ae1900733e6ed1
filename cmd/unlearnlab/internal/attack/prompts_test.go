package attack

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// residualFolder returns the folder of a small residual network with random weights.
func residualFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	clitest.Put(t, dir, "config.json", `{"architecture": "resnet", "blocks": [1, 1], "widths": [5, 8], "stem_kernel": 3,
		"stem_stride": 1, "stem_pool": false, "num_classes": 3}`)
	clitest.Put(t, dir, "model.safetensors", clitest.Read(t,
		"../../../../unlearnkit/zoo/resnet/testdata/small.safetensors"))
	return dir
}

// attackedWith runs a small attack, decodes its JSON report and returns stderr.
func attackedWith(t *testing.T, into any, args ...string) (stderr string) {
	t.Helper()
	code, stdout, stderr := cmd.Run(append([]string{"attack", "partial-diffusion", "--psi", ".5,.75", "--steps", "4",
		"--size", "4", "--device", "go", "--json"}, args...)...)
	if code != cli.ExitDone {
		t.Fatalf("%q: exit %d: %s", args, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), into); err != nil {
		t.Fatal(err)
	}
	return stderr
}

// The paper's scores are means of the raw rows.
func TestPrompts_PaperScores(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), t.TempDir()
	for _, fit := range []string{"head_only", "full_triplet"} {
		var r attackReport
		attackedWith(t, &r, "--original", original, "--unlearned", other, "--gold", original, "--prompt", "a b",
			"--seeds", "3", "--features", residualFolder(t), "--set", "6", "--pixels", "12", "--fit", fit, "--out", out)
		rows, err := safefile.ReadParquet(filepath.Join(out, rowsFile))
		if err != nil {
			t.Fatal(err)
		}
		models, budgets, ccs := rows.Column("model").Texts, rows.Column("budget").Values, rows.Column("original").Values
		if len(r.Scores) != 2 || r.Scores[0].Model != "unlearned" || len(r.Scores[0].Distances) != 4 {
			t.Fatalf(`got %+v, want length 2, [0].Model "unlearned", length 4 of [0].Distances`, r.Scores)
		}
		for _, s := range r.Scores {
			sum, count := 0., 0.
			for i, model := range models {
				if model == s.Model && (budgets[i] == .5 || budgets[i] == .75) {
					sum, count = sum+ccs[i], count+1
				}
			}
			if count != 6 || math.Abs(sum/count-*s.CCS.Estimate) > 1e-12 ||
				!slices.Equal(s.Psi, []string{".5", ".75"}) {
				t.Errorf("%s, %s: CCS %v over ψ %v; the rows have %v", fit, s.Model, s.CCS, s.Psi, sum/count)
			}
			if math.Abs(*s.CRSForget.Estimate+*s.CRSRetain-1) > 1e-12 || !(*s.CCS.Lo <= *s.CCS.Estimate) {
				t.Errorf("got %+v, want *s.CRSForget.Estimate+*s.CRSRetain near 1, *s.CCS.Lo <= %v",
					s, *s.CCS.Estimate)
			}
			kid := 0.
			for _, d := range s.Distances[1:3] {
				kid += *d.Original / 2
			}
			if math.Abs(kid-*s.KIDO) > 1e-12 {
				t.Errorf("%s: KID-O %v, of the ratios %v", s.Model, *s.KIDO, kid)
			}
		}
		// Gold equals the original here: its pictures are equally far from both sets, and the classifier cannot decide.
		if gold := r.Scores[1]; *gold.KIDO != *gold.KIDU || math.Abs(*gold.CRSForget.Estimate) > 1e-9 {
			t.Errorf("%s: gold is the original, but %+v", fit, gold)
		}
		// The classifier is right for six of the twelve pictures, ten of which are for training and two for validation.
		if gold := r.Scores[1]; math.Abs(10*gold.Training+2*gold.Validation-6) > 1e-9 {
			t.Errorf("%s: right of %v of what was learnt and %v of the others", fit, gold.Training, gold.Validation)
		}
		for _, s := range r.Scores {
			if warned := slices.ContainsFunc(r.Warnings, func(w string) bool {
				return strings.Contains(w, "the classifier of "+s.Model+" against")
			}); warned != (s.Validation < partialdiffusion.WeakClassifier) {
				t.Errorf("%s: %s is told right in %v, warnings %q", fit, s.Model, s.Validation, r.Warnings)
			}
		}
	}
	code, stdout, stderr := cmd.Run("attack", "partial-diffusion", "--original", original, "--unlearned", other,
		"--prompt", "a", "--psi", ".5", "--seeds", "1", "--steps", "2", "--size", "4", "--device", "go", "--out", out,
		"--features", residualFolder(t), "--set", "4", "--pixels", "12")
	if code != cli.ExitDone || !strings.Contains(stdout, "KID-O") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// Prompts from a file give the same results as one command for each prompt.
func TestPrompts_EqualOneByOne(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), t.TempDir()
	file := filepath.Join(t.TempDir(), "i2p.csv")
	clitest.Put(t, filepath.Dir(file), "i2p.csv",
		"prompt,hard,sd_seed,sd_guidance_scale\n\"a b, c\",1,7,3\ncab,0,4000000000,1\n")
	var all promptsReport
	args := []string{"--original", original, "--unlearned", other, "--prompts", file, "--seeds", "2", "--out", out,
		"--retained", "unlearned=3/4"}
	stderr := attackedWith(t, &all, args...)
	if !strings.Contains(stderr, "2 prompts (0 done), with 2 pictures at each ψ") ||
		!strings.Contains(stderr, "prompt 2 of 2: cab") {
		t.Errorf("said %s", stderr)
	}
	sum := 0.
	for i, one := range [][]string{{"a b, c", "7", "3"}, {"cab", "4000000000", "1"}} {
		var r attackReport
		attackedWith(t, &r, "--original", original, "--unlearned", other, "--prompt", one[0], "--first-seed", one[1],
			"--guidance", one[2], "--seeds", "2", "--out", t.TempDir())
		got, _ := json.Marshal(all.Prompts[i].Curves)
		want, _ := json.Marshal(r.Curves)
		// only the prompts from the file have --retained
		measured := `"retained":` + retainedOf(t, all.Prompts[i])
		text := strings.ReplaceAll(string(got), measured, `"retained":null`)
		if text != string(want) || all.Prompts[i].Prompt != one[0] {
			t.Errorf("%q in a file: %s\nalone: %s", one[0], text, want)
		}
		sum += *r.Curves[0].Area.Estimate / 2
	}
	if len(all.Means) != 1 || all.Means[0].N != 2 || math.Abs(*all.Means[0].Estimate-sum) > 1e-12 {
		t.Errorf("%+v, want a mean of %v", all.Means, sum)
	}
	frame, err := safefile.ReadWords(filepath.Join(out, scoresFile))
	if err != nil || frame.Rows() != 2 {
		t.Errorf("got %v, %v, want Rows() 2", frame, err)
	}
	// Finished pictures are not drawn again, unless the settings differ.
	var again promptsReport
	if stderr := attackedWith(t, &again, args...); strings.Contains(stderr, "prompt 1 of") ||
		*again.Means[0].Estimate != *all.Means[0].Estimate {
		t.Errorf("the same command draws again: %s", stderr)
	}
	if stderr := attackedWith(t, &again, append(args, "--guidance", "2", "--eta", ".5")...); !strings.Contains(stderr,
		"prompt 1 of") {
		t.Errorf("other settings draw nothing: %s", stderr)
	}
	if left, err := os.ReadDir(filepath.Join(out, "0001", unfinished)); err == nil {
		t.Errorf("%d things are left of what was under way", len(left))
	}
}

// retainedOf returns the retained share of a report's first curve, as JSON.
func retainedOf(t *testing.T, r *attackReport) string {
	t.Helper()
	text, err := json.Marshal(r.Curves[0].Retained)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// With --dry-run, the command prints the cost and draws nothing.
func TestPrompts_CostFirst(t *testing.T) {
	original, out := pipelineFolder(t, false), filepath.Join(t.TempDir(), "out")
	var e struct {
		OK      bool
		Calls   int
		Seconds *float64
	}
	// Per picture and with 4 steps, the original makes 4 calls and 3 predictions, at ψ = 0, .5 and .75; the other model
	// makes 4, 2 and 1 calls. Both also draw a set of 4 pictures: 4·4 calls, or 8 for each of the 2 pictures. Guidance
	// doubles all calls.
	attackedWith(t, &e, "--original", original, "--unlearned", original, "--prompt", "a", "--seeds", "2", "--out", out,
		"--features", residualFolder(t), "--set", "4", "--pixels", "12", "--dry-run")
	if want := 2 * 2 * (4 + 3 + 4 + 2 + 1 + 8 + 8); e.Calls != want || e.Seconds == nil || !(*e.Seconds > 0) || !e.OK {
		t.Errorf("%+v, want %d calls", e, want)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder was made")
	}
	code, stdout, _ := cmd.Run("attack", "partial-diffusion", "--original", original, "--unlearned", original,
		"--prompt", "a", "--psi", ".5", "--steps", "2", "--size", "4", "--device", "go", "--dry-run")
	if code != cli.ExitDone || !strings.Contains(stdout, "of drawing on go") {
		t.Errorf("exit %d: %s", code, stdout)
	}
}

func TestPrompts_Mistakes(t *testing.T) {
	good, dir := pipelineFolder(t, false), t.TempDir()
	for _, test := range []struct {
		code          int
		content, says string
		args          []string
	}{
		{cli.ExitFailed, "text\na\n", "expected a column named prompt", nil},
		{cli.ExitFailed, "prompt,seed\na,x\n", `row 1: the seed "x" is not a whole number`, nil},
		{cli.ExitFailed, "prompt,guidance\na,3\nb,much\n", `row 2: the guidance "much" is not a number`, nil},
		{cli.ExitUsage, "prompt\na\n", "give either --prompt or --prompts", []string{"--prompt", "a"}},
		{cli.ExitUsage, "prompt\na\n", "--set needs --features", []string{"--set", "9"}},
		{cli.ExitUsage, "prompt\na\n", `--fit "some"`, []string{"--fit", "some"}},
		{cli.ExitFailed, "prompt\na\n", "no such folder", []string{"--features", filepath.Join(dir, "none")}},
	} {
		clitest.Put(t, dir, "prompts.csv", test.content)
		cmd.Refused(t, test.code, test.says, append([]string{"attack", "partial-diffusion", "--original", good,
			"--unlearned", good, "--device", "go", "--size", "4", "--out", filepath.Join(dir, "out"), "--prompts",
			filepath.Join(dir, "prompts.csv")}, test.args...)...)
	}
}
