package zootest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/zootest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// A model that recomputes its activations has the same loss and gradients, up to rounding in float32.
func TestRecompute_SameGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	devicetest.Each(t, func(t *testing.T, d *device.Device) {
		for _, m := range zootest.Tiny() {
			if m.Name != "llava" {
				continue
			}
			want, got := gradients(t, d, m, false), gradients(t, d, m, true)
			for i := range want {
				if far := relative(got[i], want[i]); far > 2e-6 {
					t.Errorf("output %d: the norm of the difference is %.2g of its norm", i, far)
				}
			}
		}
	})
}

// gradients returns the model's loss and gradients.
func gradients(t *testing.T, d *device.Device, m zootest.Model, recomputes bool) (all [][]float32) {
	t.Helper()
	store := model.NewStore()
	defer store.Finalize()
	at := store.RootScope().At("model")
	nn.Seed(at, 1)
	if recomputes {
		nn.Recompute(at)
	}
	program, err := d.Compile("gradients", store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		loss := m.Loss(scope.At("model"), inputs)
		return append([]*graph.Node{loss}, optim.Differentiate(scope.At("model"), loss, nil).Nodes...)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	var batch []any
	for _, tensor := range m.Batch(rand.New(rand.NewPCG(1, 2))) {
		batch = append(batch, tensor)
	}
	outputs, err := program.Run(t.Context(), batch...)
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range outputs {
		all = append(all, tensors.MustCopyFlatData[float32](output))
	}
	return all
}

// relative returns the norm of the difference divided by the norm of want, or by 1e-3 if that is larger.
func relative(got, want []float32) float64 {
	difference, norm := 0., 0.
	for i := range want {
		difference += math.Pow(float64(got[i]-want[i]), 2)
		norm += math.Pow(float64(want[i]), 2)
	}
	return math.Sqrt(difference) / max(math.Sqrt(norm), 1e-3)
}
