package fused_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func uniform(name string, dims ...int) *tensors.Tensor {
	values := make([]float32, shapes.Make(dtypes.Float32, dims...).Size())
	random := seed.Stream(1, name)
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(values, dims...)
}

func evaluate[T float32 | float64](t *testing.T, backend compute.Backend, build func([]*graph.Node) []*graph.Node,
	inputs ...*tensors.Tensor) [][]T {
	t.Helper()
	exec, err := graph.NewExec(backend, build)
	if err != nil {
		t.Fatal(err)
	}
	arguments := make([]any, len(inputs))
	for i, input := range inputs {
		copied, err := input.LocalClone()
		if err != nil {
			t.Fatal(err)
		}
		arguments[i] = copied
	}
	outputs, err := exec.Call(arguments...)
	if err != nil {
		t.Fatal(err)
	}
	var values [][]T
	for _, output := range outputs {
		values = append(values, tensors.MustCopyFlatData[T](output))
	}
	return values
}

func same(t *testing.T, name string, build func([]*graph.Node) []*graph.Node, inputs ...*tensors.Tensor) {
	t.Run(name, func(t *testing.T) {
		plain, planned := pair(t)
		want, got := evaluate[float32](t, plain, build, inputs...), evaluate[float32](t, planned, build, inputs...)
		for i := range want {
			scale := 1e-6
			for _, w := range want[i] {
				scale = max(scale, math.Abs(float64(w)))
			}
			for j, w := range want[i] {
				if difference := math.Abs(float64(got[i][j] - w)); !(difference <= 3e-6*scale) {
					t.Fatalf("output %d[%d] is %g, the plain backend says %g", i, j, got[i][j], w)
				}
			}
		}
	})
}

func TestPlan_EqualsPlain(t *testing.T) {
	withGradient := func(f func(x []*graph.Node) *graph.Node) func([]*graph.Node) []*graph.Node {
		return func(x []*graph.Node) []*graph.Node {
			y := f(x)
			weights := graph.Cos(graph.IotaFull(y.Graph(), y.Shape()))
			return append([]*graph.Node{y}, graph.Gradient(graph.ReduceAllSum(graph.Mul(y, weights)), x...)...)
		}
	}
	cube, square := uniform("cube", 37, 65, 33), uniform("square", 65, 33)
	for name, build := range map[string]func(x []*graph.Node) *graph.Node{
		"sum of rows":     func(x []*graph.Node) *graph.Node { return graph.ReduceSum(x[0], 0) },
		"sum of middle":   func(x []*graph.Node) *graph.Node { return graph.ReduceSum(x[0], 1) },
		"sum of columns":  func(x []*graph.Node) *graph.Node { return graph.ReduceSum(x[0], 2) },
		"sum of two":      func(x []*graph.Node) *graph.Node { return graph.ReduceSum(x[0], 0, 2) },
		"maximum":         func(x []*graph.Node) *graph.Node { return graph.ReduceMax(x[0], 1) },
		"transpose":       func(x []*graph.Node) *graph.Node { return graph.TransposeAllAxes(x[0], 2, 0, 1) },
		"transpose two":   func(x []*graph.Node) *graph.Node { return graph.TransposeAllAxes(x[0], 0, 2, 1) },
		"transpose three": func(x []*graph.Node) *graph.Node { return graph.TransposeAllAxes(x[0], 2, 1, 0) },
		"softmax":         func(x []*graph.Node) *graph.Node { return graph.Softmax(x[0], -1) },
		"standardise": func(x []*graph.Node) *graph.Node {
			centred := graph.Sub(x[0], graph.ReduceAndKeep(x[0], graph.ReduceMean, -1))
			return graph.Div(centred,
				graph.Sqrt(graph.AddScalar(graph.ReduceAndKeep(graph.Square(centred), graph.ReduceMean, -1), 1e-5)))
		},
		"strided slice": func(x []*graph.Node) *graph.Node {
			return graph.Slice(x[0], graph.AxisRange(1, 30), graph.AxisRange(0, 60).Stride(3), graph.AxisRange(2))
		},
		"grow and concatenate": func(x []*graph.Node) *graph.Node {
			y := graph.GrowLeft(graph.GrowRight(x[0], 1, 2, 0), 2, 1, 3)
			return graph.Concatenate([]*graph.Node{y, graph.Exp(y), graph.Tanh(y)}, 1)
		},
		"rectifier": func(x []*graph.Node) *graph.Node { return graph.Max(x[0], graph.ZerosLike(x[0])) },
		"choose": func(x []*graph.Node) *graph.Node {
			return graph.Where(graph.GreaterThan(x[0], graph.Scalar(x[0].Graph(), dtypes.Float32, .3)),
				graph.Square(x[0]), graph.Neg(x[0]))
		},
	} {
		same(t, name, withGradient(build), cube)
	}
	same(t, "broadcast and multiply", withGradient(func(x []*graph.Node) *graph.Node {
		return graph.Mul(x[0], graph.BroadcastToDims(graph.Reshape(x[1], 1, 65, 33), 37, 65, 33))
	}), cube, square)
	same(t, "product", withGradient(func(x []*graph.Node) *graph.Node {
		return graph.Einsum("abc,bc->ab", x[0], x[1])
	}), cube, square)
	same(t, "batched product", withGradient(func(x []*graph.Node) *graph.Node {
		return graph.Einsum("abc,dbc->bad", x[0], x[0])
	}), cube)
	same(t, "weights", withGradient(func(x []*graph.Node) *graph.Node {
		return graph.Einsum("abc,dc->abd", x[0], x[1])
	}), cube, square)
}

func TestPlan_Convolutions(t *testing.T) {
	for _, c := range []struct {
		shape  []int
		config nn.ConvConfig
	}{
		{[]int{3, 9, 8, 6}, nn.ConvConfig{Out: 5, Kernel: []int{3, 3}, Padding: []int{1, 1}}},
		{[]int{2, 11, 13, 16}, nn.ConvConfig{Out: 40, Kernel: []int{3, 5}, Stride: []int{2, 3}, Padding: []int{1, 0}}},
		{[]int{1, 12, 10, 3}, nn.ConvConfig{Out: 17, Kernel: []int{4, 2}, Stride: []int{3, 1}, Padding: []int{2, 1}}},
		{[]int{2, 9, 9, 4}, nn.ConvConfig{Out: 8, Kernel: []int{1, 1}, Stride: []int{2, 2}}},
		{[]int{2, 8, 8, 4}, nn.ConvConfig{Out: 8, Kernel: []int{4, 2}, Stride: []int{2, 2}, Padding: []int{1, 0}}},
		{[]int{9, 50, 12}, nn.ConvConfig{Out: 6, Kernel: []int{10}, Stride: []int{3}, Groups: 3, Padding: []int{4}}},
		{[]int{2, 40, 6}, nn.ConvConfig{Out: 4, Kernel: []int{3}, Dilation: []int{4}, Groups: 2, Padding: []int{4}}},
		{[]int{2, 16, 16, 20}, nn.ConvConfig{Out: 33, Kernel: []int{3, 3}, Dilation: []int{2, 1}}},
		{[]int{2, 30, 5}, nn.ConvConfig{Out: 7, Kernel: []int{3}, Stride: []int{4}}},
	} {
		weight := append([]int{c.config.Out, c.shape[len(c.shape)-1] / max(1, c.config.Groups)}, c.config.Kernel...)
		same(t, fmt.Sprint(c.shape, c.config), func(x []*graph.Node) []*graph.Node {
			y := nn.Convolve(x[0], x[1], c.config)
			weights := graph.Cos(graph.IotaFull(y.Graph(), y.Shape()))
			return append([]*graph.Node{y}, graph.Gradient(graph.ReduceAllSum(graph.Mul(y, weights)), x...)...)
		}, uniform("x", c.shape...), uniform("weight", weight...))
	}
}
