package fused_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"pgregory.net/rapid"
)

// choices are drawn before the graph is built, so that it can be built twice.
type choices struct {
	drawn []int
	next  int
}

func (c *choices) below(n int) int {
	c.next++
	return c.drawn[(c.next-1)%len(c.drawn)] % n
}

func one[T any](c *choices, among []T) T { return among[c.below(len(among))] }

// grow adds a random operation whose operands are among the values so far, which all have three axes.
func grow(c *choices, values []*graph.Node) *graph.Node {
	x := one(c, values)
	d := x.Shape().Dimensions
	switch c.below(12) {
	case 0:
		return graph.Tanh(x)
	case 1:
		return graph.Sigmoid(graph.Neg(x))
	case 2:
		return graph.Where(graph.GreaterThan(x, graph.Scalar(x.Graph(), dtypes.Float64, .1)), x, graph.Cos(x))
	case 3: // repeat an array that has one element along an axis
		kept := graph.ReduceAndKeep(x, graph.ReduceMean, c.below(3))
		return graph.Sub(x, kept)
	case 4:
		axes := one(c, [][]int{{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}})
		return graph.Add(x, graph.ReduceAndKeep(x, graph.ReduceMax, axes...))
	case 5:
		return graph.TransposeAllAxes(x, one(c, [][]int{{0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}})...)
	case 6:
		return graph.Reshape(x, one(c,
			[][]int{{d[0], d[1] * d[2], 1}, {d[0] * d[1], 1, d[2]}, {1, d[0], d[1] * d[2]}})...)
	case 7:
		axis := c.below(3)
		return graph.Concatenate([]*graph.Node{x, graph.Neg(x)}, axis)
	case 8:
		axis := c.below(3)
		return graph.GrowLeft(graph.GrowRight(x, axis, 1, .5), axis, 2, -.5)
	case 9:
		ranges := []graph.SliceAxisSpec{graph.AxisRange(), graph.AxisRange(), graph.AxisRange()}
		axis := c.below(3)
		ranges[axis] = graph.AxisRange(c.below(d[axis])).Stride(1 + c.below(3))
		return graph.Slice(x, ranges...)
	case 10:
		y := one(c, values)
		if !y.Shape().Equal(x.Shape()) {
			return graph.Mul(x, graph.Tanh(graph.ReduceAllMean(y)))
		}
		return graph.Mul(x, graph.Sub(y, x))
	default:
		return graph.Tanh(graph.Einsum("abc,abd->acd", x, x))
	}
}

// In float64 the two differ only by rounding, so a misplaced value is not mistaken for a rounding error.
func TestPlan_RandomGraphs(t *testing.T) {
	plain, planned := pair(t)
	rapid.Check(t, func(r *rapid.T) {
		dims := rapid.SliceOfN(rapid.IntRange(1, 40), 3, 3).Draw(r, "dimensions")
		drawn := rapid.SliceOfN(rapid.IntRange(0, 1<<20), 24, 24).Draw(r, "choices")
		build := func(x []*graph.Node) []*graph.Node {
			c := &choices{drawn: drawn}
			double := graph.ConvertDType(x[0], dtypes.Float64)
			values := []*graph.Node{double}
			for range 8 {
				if made := grow(c, values); made.Shape().Size() < 100_000 {
					values = append(values, made)
				}
			}
			return append(values[1:],
				graph.Gradient(graph.ReduceAllSum(graph.Square(values[len(values)-1])), double)...)
		}
		input := uniform("input", dims...)
		want, got := evaluate[float64](t, plain, build, input), evaluate[float64](t, planned, build, input)
		for i := range want {
			scale := 1e-4 // a sum that cancels keeps the rounding errors of its terms, which are near 1
			for _, w := range want[i] {
				scale = max(scale, math.Abs(w))
			}
			for j, w := range want[i] {
				if difference := math.Abs(got[i][j] - w); !(difference <= 1e-9*scale) {
					r.Fatalf("output %d[%d] is %g, the plain backend says %g", i, j, got[i][j], w)
				}
			}
		}
	})
}
