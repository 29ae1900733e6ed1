package nn_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// The loop computes the sum of 1 to 10, and their product times 2 to the power of 10. Neither has a gradient with
// respect to the initial state.
func TestRepeat_State(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, d *device.Device) {
		program, err := d.Compile("loop", model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			ends := nn.Repeat(10, x[:2], func(number *graph.Node, state []*graph.Node) []*graph.Node {
				number = graph.ConvertDType(number, dtypes.Float64)
				two := graph.Const(number.Graph(), 2.)
				return []*graph.Node{graph.Add(state[0], number), graph.Mul(state[1], graph.Mul(number, two))}
			})
			whole := graph.Add(graph.ReduceAllSum(ends[0]), x[0])
			return append(ends, graph.Gradient(whole, x[0])[0])
		})
		if err != nil {
			t.Fatal(err)
		}
		defer program.Close()
		outputs, err := program.Run(t.Context(), 0., 1.)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{55, 3628800 * 1024, 1} {
			if got := tensors.ToScalar[float64](outputs[i]); got != want {
				t.Errorf("output %d is %g, want %g", i, got, want)
			}
		}
	})
}
