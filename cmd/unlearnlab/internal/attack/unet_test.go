package attack

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// only writes the named tensors of a file to a new file and returns its path.
func only(t *testing.T, path string, names ...string) string {
	t.Helper()
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []safefile.TensorData
	for _, name := range names {
		content, err := file.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := file.Tensor(name)
		all = append(all, safefile.TensorOfBytes(name, info.Type, info.Shape, slices.Clone(content)))
	}
	part := filepath.Join(t.TempDir(), "changed.safetensors")
	if err := safefile.WriteTensors(part, all, nil); err != nil {
		t.Fatal(err)
	}
	return part
}

// The unlearned model may be a whole pipeline, a UNet's folder or file, or only the changed tensors. Its scheduler may
// be one that this project does not implement.
func TestUNet_Alone(t *testing.T) {
	original, other := pipelineFolder(t, false), pipelineFolder(t, true)
	unet := filepath.Join(other, "unet")
	weights := filepath.Join(unet, "diffusion_pytorch_model.safetensors")
	euler := clitest.Read(t, filepath.Join(original, "scheduler", "scheduler_config.json"))
	for _, class := range []string{"DDIMScheduler", "PNDMScheduler", "DDPMScheduler"} {
		euler = strings.Replace(euler, class, "EulerDiscreteScheduler", 1)
	}
	clitest.Put(t, original, "scheduler/scheduler_config.json", euler)
	attacked := func(args ...string) (curves string, finish string) {
		code, stdout, stderr := cmd.Run(append([]string{"attack", "partial-diffusion", "--original", original,
			"--prompt", "a b", "--psi", ".5", "--seeds", "2", "--steps", "2", "--size", "4", "--out", t.TempDir(),
			"--device", "go", "--json"}, args...)...)
		if code != cli.ExitDone {
			t.Fatalf("%q: exit %d: %s", args, code, stderr)
		}
		var r struct {
			Curves json.RawMessage
			Finish string `json:"finish_prompt"`
			Lacks  []string
		}
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(r.Lacks, func(lack string) bool { return strings.Contains(lack, "retained") })
		if measured := slices.Contains(args, "--retained"); told == measured {
			t.Errorf("%q: lacks %q", args, r.Lacks)
		}
		return string(r.Curves), r.Finish
	}
	whole, finish := attacked("--unlearned", other)
	if finish != "a b" {
		t.Errorf("finished with %q", finish)
	}
	for _, path := range []string{unet, weights, only(t, weights, "conv_out.weight")} {
		if curves, _ := attacked("--unlearned-unet", path); curves != whole {
			t.Errorf("%s is another model:\n%s\n%s", path, curves, whole)
		}
	}
	if same, _ := attacked("--unlearned-unet", only(t, weights, "conv_out.bias")); same == whole {
		t.Error("a tensor that did not change makes another model")
	}
	if curves, finish := attacked("--unlearned", other, "--finish-prompt", "", "--retained",
		"unlearned=3/4"); finish != "" || curves == whole {
		t.Errorf("finished with %q as with the prompt", finish)
	}
}

// A UNet in bfloat16 draws nearly the same pictures. Its results have their own key, so a run never continues with
// results of another number type.
func TestUNet_BFloat16(t *testing.T) {
	original, other := pipelineFolder(t, false), pipelineFolder(t, true)
	attacked := func(precision string) (r attackReport) {
		code, stdout, stderr := cmd.Run("attack", "partial-diffusion", "--original", original, "--unlearned", other,
			"--prompt", "a b", "--psi", ".5", "--seeds", "2", "--steps", "4", "--size", "4", "--out", t.TempDir(),
			"--device", "go", "--precision", precision, "--json")
		if code != cli.ExitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatal(err)
		}
		if r.Precision != precision {
			t.Errorf("computed in %q, asked for %s", r.Precision, precision)
		}
		return r
	}
	long, short := attacked(float32s), attacked(bfloat16)
	if long.Key == short.Key {
		t.Error("both have one key")
	}
	same := true
	for i, curve := range long.Curves {
		for j, point := range curve.Points {
			a, b := orNaN(point.Estimate), orNaN(short.Curves[i].Points[j].Estimate)
			if !(math.Abs(a-b) < .03) {
				t.Errorf("%s at ψ %s is %g in float32 and %g in bfloat16", curve.Column, point.Text, a, b)
			}
			same = same && a == b
		}
	}
	if same {
		t.Error("no number has changed: nothing was computed in bfloat16")
	}
}

func TestUNet_Refused(t *testing.T) {
	original := pipelineFolder(t, false)
	foreign := filepath.Join(t.TempDir(), "foreign.safetensors")
	tensor := safefile.TensorOfBytes("something.else", safefile.F32, []int{1}, make([]byte, 4))
	if err := safefile.WriteTensors(foreign, []safefile.TensorData{tensor}, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "two models are named a", []string{"--unlearned", "a=" + original,
			"--unlearned-unet", "a=" + foreign}},
		{cli.ExitUsage, "two models are named gold", []string{"--unlearned", "gold=" + original, "--gold", original}},
		{cli.ExitUsage, `"a=" names no model`, []string{"--unlearned-unet", "a="}},
		{cli.ExitUsage, "there is no such model; the models are a, b", []string{"--unlearned", "a=" + original,
			"--unlearned", "b=" + original, "--retained", "c=1/2"}},
		{cli.ExitUsage, "--retained original", []string{"--unlearned", original, "--retained", "original=1/2"}},
		{cli.ExitFailed, "no such file", []string{"--unlearned-unet", filepath.Join(original, "none")}},
		{cli.ExitFailed, "none of the model's tensors is in the file", []string{"--unlearned-unet", foreign}},
		{cli.ExitUsage, "there is no such model", []string{"--unlearned", original, "--retained", "gold=1/2"}},
		{cli.ExitUsage, `--precision "half": float32 or bfloat16`, []string{"--unlearned", original,
			"--precision", "half"}},
		{cli.ExitUsage, "give correct answers of all answers", []string{"--unlearned", original,
			"--retained", "unlearned=3/2"}},
	} {
		code, _, stderr := cmd.Run(append([]string{"attack", "partial-diffusion", "--original", original,
			"--prompt", "a", "--psi", ".5", "--seeds", "1", "--steps", "2", "--size", "4",
			"--out", t.TempDir(), "--device", "go"},
			test.args...)...)
		if code != test.code || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit %d, %s", test.args, code, stderr)
		}
	}
}

// Several unlearned models get the same results as in separate attacks.
func TestUNet_SeveralModels(t *testing.T) {
	original, other := pipelineFolder(t, false), pipelineFolder(t, true)
	changed := only(t, filepath.Join(other, "unet", "diffusion_pytorch_model.safetensors"), "conv_out.bias")
	curves := func(args ...string) map[string]string {
		var r attackReport
		attackedWith(t, &r, append([]string{"--original", original, "--prompt", "a b", "--seeds", "2", "--out",
			t.TempDir()}, args...)...)
		found := map[string]string{}
		for _, c := range r.Curves {
			text, err := json.Marshal(c.Points)
			if err != nil {
				t.Fatal(err)
			}
			found[c.Model+" "+c.Column] = string(text)
		}
		return found
	}
	all := curves("--unlearned", "esd="+other, "--unlearned-unet", changed, "--gold", original)
	if len(all) != 9 {
		t.Fatalf("got %v, want length 9", all)
	}
	folder, file := curves("--unlearned", other), curves("--unlearned-unet", changed)
	for _, column := range []string{"nearness", "distance_original", "distance_own"} {
		if all["esd "+column] != folder["unlearned "+column] || all["changed "+column] != file["unlearned "+column] {
			t.Errorf("%s: %v; alone %v and %v", column, all, folder, file)
		}
	}
	if all["esd distance_own"] == all["changed distance_own"] {
		t.Error("the two models draw alike")
	}
}
