package attack

import (
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const smallPipeline = "../../../../unlearnkit/zoo/diffusion/testdata/pipeline"

// pipelineFolder returns a folder with a small random pipeline and a tokenizer of single letters. With minus, the
// weights of the UNet's output convolution are negated.
func pipelineFolder(t *testing.T, minus bool) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(smallPipeline)); err != nil {
		t.Fatal(err)
	}
	vocabulary := map[string]int{"<|startoftext|>": 28, "<|endoftext|>": 29}
	for i := range 14 {
		letter := string(rune('a' + i))
		vocabulary[letter], vocabulary[letter+"</w>"] = i, 14+i
	}
	words, err := json.Marshal(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	clitest.Put(t, dir, "tokenizer/vocab.json", string(words))
	clitest.Put(t, dir, "tokenizer/merges.txt", "#version: 0.2\n")
	if minus {
		negate(t, filepath.Join(dir, "unet", "diffusion_pytorch_model.safetensors"), "conv_out.weight")
	}
	return dir
}

// negate flips the signs of a half-precision tensor in a file.
func negate(t *testing.T, path, name string) {
	t.Helper()
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []safefile.TensorData
	for _, each := range file.Names() {
		content, err := file.Bytes(each)
		if err != nil {
			t.Fatal(err)
		}
		content = slices.Clone(content)
		info, _ := file.Tensor(each)
		if each == name {
			for i := 1; i < len(content); i += 2 {
				content[i] ^= 0x80
			}
		}
		all = append(all, safefile.TensorOfBytes(each, info.Type, info.Shape, content))
	}
	if err := safefile.WriteTensors(path+".new", all, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestPartialDiffusion_Folders(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := cmd.Run("attack", "partial-diffusion", "--original", original, "--unlearned", other,
		"--gold", original, "--prompt", "a b cab", "--psi", ".29,.5", "--seeds", "3", "--batch", "2",
		"--steps", "4", "--size", "4", "--out", out, "--device", "go", "--json")
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var r struct {
		OK        bool
		HandOvers []handOver `json:"hand_overs"`
		Curves    []struct {
			Model, Column string
			Points        []struct {
				Text     string
				Estimate float64
				N        int
			}
		}
		Lacks, Files []string
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, hand := range r.HandOvers {
		places = append(places, fmt.Sprint(hand.Psi, " ", hand.Steps, " ", hand.Timestep))
	}
	if want := []string{"0 0 751", ".29 1 501", ".5 2 251", "1 4 -1"}; !r.OK || !slices.Equal(places, want) ||
		len(r.Lacks) != 2 || len(r.Files) != 6 {
		t.Errorf("got %+v, want OK true, places %v, 2 Lacks, 6 Files", r, want)
	}
	for _, c := range r.Curves {
		first, last := c.Points[0], c.Points[3]
		if c.Column == "nearness" && (first.Estimate != 0 || last.N != 3 || c.Model == "unlearned" &&
			last.Estimate != 1 || c.Model == "gold" && last.Estimate != 0) {
			t.Errorf("%+v", c)
		}
	}
	rows, err := safefile.ReadParquet(filepath.Join(out, rowsFile))
	if err != nil || rows.Rows() != 2*4*3 {
		t.Errorf("got %v, %v, want Rows() 2*4*3", rows, err)
	}
	for _, path := range r.Files {
		if !strings.HasSuffix(path, ".png") {
			continue
		}
		picture, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(picture); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		picture.Close()
	}
}

func TestPartialDiffusion_Text(t *testing.T) {
	original, other, out := pipelineFolder(t, false), pipelineFolder(t, true), filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := cmd.Run("attack", "partial-diffusion", "--original", original, "--unlearned", other,
		"--prompt", "a", "--psi", ".5", "--seeds", "1", "--steps", "2", "--size", "4", "--solver", "plms",
		"--hand-over", "published", "--out", out, "--device", "go")
	for _, want := range []string{"nearness, unlearned", "the end", filepath.Join(out, "strip-42.png"),
		filepath.Join(out, curvesFile)} {
		if code != cli.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d: %s does not say %q\n%s", code, stdout, want, stderr)
		}
	}
	if !strings.Contains(stderr, "note: there is no gold model") || !strings.Contains(stderr, "retained accuracy") {
		t.Error(stderr)
	}
}

func TestPartialDiffusion_ClassifierShare(t *testing.T) {
	original, classifier := pipelineFolder(t, false), residualFolder(t)
	args := []string{"attack", "partial-diffusion", "--original", original, "--unlearned", original,
		"--prompt", "a", "--psi", ".5", "--seeds", "2", "--steps", "2", "--size", "4",
		"--classifier", classifier, "--concept", "2", "--pixels", "16", "--out", t.TempDir(), "--device", "go"}
	code, stdout, stderr := cmd.Run(args...)
	if code != cli.ExitDone || !strings.Contains(stdout, "recovered, unlearned") || strings.Contains(stdout,
		"Verdict") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = cmd.Run(append(args, "--gold", original)...)
	for _, want := range []string{"Verdict", "unresolved", "0.000 [-0.658, 0.658]", "2 seeds of one prompt"} { // Wilson interval
		if code != cli.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d: no %q in %s%s", code, want, stdout, stderr)
		}
	}
}

func TestPartialDiffusion_PromptsAreUnits(t *testing.T) {
	original, other, file := pipelineFolder(t, false), pipelineFolder(t, true), filepath.Join(t.TempDir(), "p.csv")
	clitest.Put(t, filepath.Dir(file), "p.csv", "prompt\na\nb c\ncab\n")
	var all promptsReport
	attackedWith(t, &all, "--original", original, "--unlearned", other, "--gold", original, "--prompts", file,
		"--seeds", "2", "--classifier", residualFolder(t), "--concept", "2", "--pixels", "16", "--out", t.TempDir())
	if len(all.Judgements) != 1 || all.Judgements[0].Units != 3 {
		t.Fatalf("got %+v, want length 1, [0].Units 3", all.Judgements)
	}
	left := 0.
	for _, one := range all.Prompts {
		if len(one.Judgements) != 1 || one.Judgements[0].Units != 2 {
			t.Fatalf("got %+v, want length 1, [0].Units 2", one.Judgements)
		}
		left += *one.Judgements[0].Left.Estimate / 3
	}
	if got := *all.Judgements[0].Left.Estimate; math.Abs(got-left) > 1e-12 {
		t.Errorf("%v is left, of the prompts %v", got, left)
	}
}

// If the negative prompt equals the prompt, both predictions are equal, and guidance of any strength changes nothing.
func TestPartialDiffusion_NegativePrompt(t *testing.T) {
	original, other := pipelineFolder(t, false), pipelineFolder(t, true)
	rows := func(args ...string) string {
		out := t.TempDir()
		var r attackReport
		attackedWith(t, &r, append([]string{"--original", original, "--unlearned", other, "--prompt", "a b",
			"--seeds", "2", "--out", out}, args...)...)
		return fmt.Sprintf("%.6f", *r.Curves[0].Area.Estimate)
	}
	plain := rows()
	if got := rows("--negative-prompt", ""); got != plain {
		t.Errorf("an empty negative prompt: %s, without %s", got, plain)
	}
	if got := rows("--negative-prompt", "cab"); got == plain {
		t.Errorf("a negative prompt changes nothing: %s", got)
	}
	if weak, strong := rows("--negative-prompt", "a b", "--guidance", "1"),
		rows("--negative-prompt", "a b", "--guidance", "9"); weak != strong {
		t.Errorf("led from itself by 1 %s, by 9 %s", weak, strong)
	}
}

func TestPartialDiffusion_Mistakes(t *testing.T) {
	good, shaped, unscheduled := pipelineFolder(t, false), pipelineFolder(t, false), pipelineFolder(t, false)
	config := clitest.Read(t, filepath.Join(shaped, "unet", "config.json"))
	clitest.Put(t, shaped, "unet/config.json",
		strings.Replace(config, "\"block_out_channels\": [\n    6,", "\"block_out_channels\": [\n    12,", 1))
	clitest.Put(t, good, "model", "a file")
	clitest.Put(t, unscheduled, "scheduler/scheduler_config.json", `{"_class_name": "ConsistencyScheduler"}`)
	missing := filepath.Join(t.TempDir(), "none")
	partial := func(args ...string) []string {
		return append([]string{"attack", "partial-diffusion", "--original", good, "--device", "go", "--size", "4",
			"--out", t.TempDir()}, args...)
	}
	pair := func(args ...string) []string {
		return partial(append([]string{"--unlearned", good, "--prompt", "a"}, args...)...)
	}
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, `no attack "partial"`, []string{"attack", "partial"}},
		{cli.ExitUsage, "--original and --unlearned are required", partial("--prompt", "a")},
		{cli.ExitUsage, "--prompt is required", partial("--unlearned", good)},
		{cli.ExitUsage, "--seeds 0", pair("--seeds", "0")},
		{cli.ExitUsage, "--steps 0", pair("--steps", "0")},
		{cli.ExitUsage, "--batch 0", pair("--batch", "0")},
		{cli.ExitUsage, "--guidance NaN", pair("--guidance", "NaN")},
		{cli.ExitUsage, "ψ is 1.5; it must be from 0 to 1", pair("--psi", "1.5")},
		{cli.ExitUsage, `ψ is "-0.1"`, pair("--psi", "-0.1")},
		{cli.ExitUsage, `ψ is "half"`, pair("--psi", ".25,half")},
		{cli.ExitUsage, "different ones", pair("--psi", ".25,0.25")},
		{cli.ExitUsage, `--solver "euler": ddim or plms`, pair("--solver", "euler")},
		{cli.ExitUsage, "only ddim supports", pair("--solver", "plms", "--eta", "1")},
		{cli.ExitUsage, "eta is 2", pair("--eta", "2")},
		{cli.ExitUsage, `--rule "round"`, pair("--rule", "round")},
		{cli.ExitUsage, `--hand-over "later"`, pair("--hand-over", "later")},
		{cli.ExitUsage, `device "abacus"`, pair("--device", "abacus")},
		{cli.ExitFailed, "not a directory", pair("--out", filepath.Join(good, "model", "x"))},
		{cli.ExitFailed, "it is a UNet2DConditionModel", pair("--classifier", filepath.Join(good, "unet"))},
		{cli.ExitFailed, "none: there is no such folder", partial("--unlearned", missing, "--prompt", "a")},
		{cli.ExitFailed, "ConsistencyScheduler", partial("--unlearned", unscheduled, "--prompt", "a")},
		{cli.ExitFailed, "unlearned is of another shape than the original",
			partial("--unlearned", shaped, "--prompt", "a")},
		{cli.ExitFailed, "has 502 tokens with its start and end marks; the text encoder",
			partial("--unlearned", good, "--prompt", strings.Repeat("a ", 500))},
	} {
		cmd.Refused(t, test.code, test.says, test.args...)
	}
}
