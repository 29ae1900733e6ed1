package hf_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

func TestHalve_RoundsOnce(t *testing.T) {
	scope := traced(t, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{nn.Linear(scope.At("head"), inputs[0], 2, false)}
	})
	// One third and 2049 are between two numbers in float16, and 6e-8 is below the normal numbers.
	given := []float32{1. / 3, -1. / 3, 2049, 6e-8, 0, -65504}
	want := []float64{.333251953125, -.333251953125, 2048, 0x1p-24, 0, -65504}
	if _, err := hf.Load(scope, written(t, []safefile.TensorData{safefile.TensorOf("head.weight", []int{2, 3}, given)}),
		hf.Names{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := hf.Save(scope, dir, hf.Names{}, hf.Format{Half: true}); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if tensor, _ := file.Tensor("head.weight"); tensor.Type != safefile.F16 {
		t.Errorf("written as %s", tensor.Type)
	}
	got := make([]float64, len(want))
	if err := file.Float64("head.weight", got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) != 0 {
			t.Errorf("%v became %v, not %v", given[i], got[i], want[i])
		}
	}
}
