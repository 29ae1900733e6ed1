package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// compute runs a graph over float64 inputs drawn for the given dimensions.
func compute(t *testing.T, d *device.Device, build func(x []*graph.Node) []*graph.Node,
	dimensions ...[]int) [][]float64 {
	t.Helper()
	program, err := d.Compile("compute", model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
		return build(x)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	inputs := make([]any, len(dimensions))
	for i, dimension := range dimensions {
		inputs[i] = normal(dimension, "input", i)
	}
	outputs, err := program.Run(t.Context(), inputs...)
	if err != nil {
		t.Fatal(err)
	}
	values := make([][]float64, len(outputs))
	for i, output := range outputs {
		values[i] = tensors.MustCopyFlatData[float64](output)
	}
	return values
}

func normal(dimensions []int, name ...any) *tensors.Tensor {
	size := 1
	for _, dimension := range dimensions {
		size *= dimension
	}
	values := make([]float64, size)
	random := seed.Stream(7, name...)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	return tensors.FromFlatDataAndDimensions(values, dimensions...)
}

// agree compares what two graphs compute from the same inputs, relative to the largest value of each output. One
// program, compiled once, computes both graphs.
func agree(t *testing.T, d *device.Device, ours, plain func(x []*graph.Node) []*graph.Node, tolerance float64,
	dimensions ...[]int) {
	t.Helper()
	both := compute(t, d, func(x []*graph.Node) []*graph.Node { return append(ours(x), plain(x)...) }, dimensions...)
	count := len(both) / 2
	for i := range count {
		if d := difference(both[i], both[count+i]); !(d <= tolerance) {
			t.Errorf("output %d differs by %g of its largest value", i, d)
		}
	}
}

func difference(got, want []float64) float64 {
	if len(got) != len(want) {
		panic(fmt.Sprintf("%d values and %d", len(got), len(want)))
	}
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst = d
		}
	}
	return worst / scale
}

// withGradients returns y, and the gradients of the sum of its squares with respect to x.
func withGradients(y *graph.Node, x []*graph.Node) []*graph.Node {
	return append(graph.Gradient(graph.ReduceAllSum(graph.Square(y)), x...), y)
}
