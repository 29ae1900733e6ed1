package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

const textTower = "../../../../unlearnkit/zoo/clip/testdata/text"

func TestInspect_JSON(t *testing.T) {
	code, stdout, stderr := cmd.Run("model", "inspect", textTower, "--json")
	var inspection registry.Inspection
	if err := json.Unmarshal([]byte(stdout), &inspection); err != nil || code != 0 {
		t.Fatalf("exit %d %s: %v", code, stderr, err)
	}
	if inspection.Architecture != "CLIPTextModel" || inspection.Parameters != 3540 || len(inspection.Tensors) != 20 ||
		inspection.Warnings == nil {
		t.Errorf(`got %+v, want Architecture "CLIPTextModel", Parameters 3540, 20 Tensors, Warnings not nil`,
			inspection)
	}
	code, stdout, stderr = cmd.Run("model", "inspect", textTower)
	for _, want := range []string{"CLIPTextModel, 3,540 parameters in 20 tensors", "embeddings.token_embedding.weight",
		"F32  [43 18]"} {
		if !strings.Contains(stdout, want) || code != 0 {
			t.Errorf("exit %d %s: %s does not say %q", code, stderr, stdout, want)
		}
	}
}

func TestInspect_LayersOfOneShape(t *testing.T) {
	var tensors []registry.Tensor
	for _, name := range []string{"head", "l.0.b", "l.0.w", "l.1.b", "l.1.w", "l.10.w", "l.2.w", "l.3.w", "l.4.w",
		"l.5.w", "l.6.w", "l.7.w", "l.8.w", "l.9.w", "m.0.w", "m.2.w"} {
		tensors = append(tensors, registry.Tensor{Name: name, Type: "F32", Shape: []int{2}})
	}
	tensors[3].Shape = []int{3} // tensor l.1.b
	var got []string
	for _, tensor := range foldLayers(tensors) {
		got = append(got, tensor.Name)
	}
	if diff := cmp.Diff([]string{"head", "l.0.b", "l.0-10.w", "l.1.b", "m.0.w", "m.2.w"}, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	const twoLayers = "../../../../unlearnkit/zoo/clip/testdata/transformers"
	_, all, _ := cmd.Run("model", "inspect", twoLayers, "--all")
	_, short, _ := cmd.Run("model", "inspect", twoLayers)
	if strings.Count(all, "\n") != 1+78 || strings.Count(short, "\n") != 1+78-2*16 {
		t.Errorf("got %s\n%s, want %q 1+78 times, %q 1+78-2*16 times", all, short, "\n", "\n")
	}
}

func TestForward_Arrays(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.npz"), filepath.Join(dir, "out.npz")
	if err := safefile.WriteNpz(in, []safefile.TensorData{safefile.TensorOf("input_ids", []int{2, 3},
		[]int64{40, 7, 41, 40, 8, 41})}); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := cmd.Run("model", "forward", textTower, "--input", in, "--output", out, "--device", "go")
	if code != 0 || stdout != "" {
		t.Fatalf("exit %d %s %s", code, stdout, stderr)
	}
	outputs, err := safefile.OpenNpz(out)
	if err != nil {
		t.Fatal(err)
	}
	defer outputs.Close()
	if hidden, ok := outputs.Tensor("last_hidden_state"); !ok || len(hidden.Shape) != 3 || hidden.Shape[2] != 18 ||
		hidden.Type != safefile.F32 {
		t.Errorf("last_hidden_state is %+v", hidden)
	}
}

func TestModel_Mistakes(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.npz")
	if err := os.WriteFile(empty, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, `no model verb "look"`, []string{"model", "look"}},
		{cli.ExitUsage, "expected the folder of a model", []string{"model", "inspect"}},
		{cli.ExitUsage, "both --input and --output", []string{"model", "forward", textTower}},
		{cli.ExitFailed, "no such folder", []string{"model", "inspect", filepath.Join(dir, "none")}},
		{cli.ExitFailed, "no model.safetensors", []string{"model", "inspect", dir}},
		{cli.ExitFailed, empty, []string{"model", "forward", textTower, "--input", empty, "--output",
			filepath.Join(dir, "out.npz"), "--device", "go"}},
		{cli.ExitFailed, "none.npz", []string{"model", "forward", textTower, "--input", filepath.Join(dir, "none.npz"),
			"--output", filepath.Join(dir, "out.npz")}},
	}
	for _, test := range tests {
		code, _, stderr := cmd.Run(test.args...)
		if code != test.code || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d %q, want exit %d and one line with %q", test.args, code, stderr, test.code, test.says)
		}
	}
}
