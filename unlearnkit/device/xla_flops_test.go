//go:build cgo && linux && amd64 && !noxla

package device

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

func TestFLOPs(t *testing.T) {
	float := func(dimensions ...int) shapes.Shape { return shapes.Make(dtypes.Float32, dimensions...) }
	product := func(x []*graph.Node) *graph.Node { return graph.Einsum("bij,bjk->bik", x[0], x[1]) }
	strided := func(x []*graph.Node) *graph.Node { return graph.Convolve(x[0], x[1]).NoPadding().Strides(2).Done() }
	both := func(f func(x []*graph.Node) *graph.Node) func(x []*graph.Node) []*graph.Node {
		return func(x []*graph.Node) []*graph.Node {
			return graph.Gradient(graph.ReduceAllSum(graph.Square(f(x))), x...)
		}
	}
	padded := func(x []*graph.Node) *graph.Node { return graph.Convolve(x[0], x[1]).PadSame().Done() }
	halved := func(x []*graph.Node) *graph.Node { return graph.Convolve(x[0], x[1]).PadSame().Strides(2).Done() }
	dilated := func(x []*graph.Node) *graph.Node {
		return graph.Convolve(x[0], x[1]).PadSame().Dilations(2).Done()
	}
	pictures, kernel := float(3, 9, 9, 4), float(3, 3, 4, 5) // 4×4 outputs
	const (
		convolution = 2 * 3 * 4 * 4 * 5 * (3 * 3 * 4)
		pair        = 2 * 3 * 5 * 4                // operations for each pair of an output's and a kernel's place
		same        = pair * (9*3 - 2) * (9*3 - 2) // at each edge, one element of the kernel meets padding
		half        = pair * (5*3 - 2) * (5*3 - 2)
		far         = pair * (9*3 - 4) * (9*3 - 4) // at each edge, two outputs lose an element
	)
	for _, test := range []struct {
		name   string
		inputs []shapes.Shape
		build  func(x []*graph.Node) []*graph.Node
		want   float64
	}{
		{"product", []shapes.Shape{float(2, 3, 5), float(2, 5, 7)},
			func(x []*graph.Node) []*graph.Node { return []*graph.Node{product(x)} }, 2 * 2 * 3 * 5 * 7},
		{"product and gradients", []shapes.Shape{float(2, 3, 5), float(2, 5, 7)}, both(product), 3 * 2 * 2 * 3 * 5 * 7},
		{"one of the gradients", []shapes.Shape{float(2, 3, 5), float(2, 5, 7)},
			func(x []*graph.Node) []*graph.Node { return both(product)(x)[:1] }, 2 * 2 * 2 * 3 * 5 * 7},
		{"convolution", []shapes.Shape{pictures, kernel},
			func(x []*graph.Node) []*graph.Node { return []*graph.Node{strided(x)} }, convolution},
		{"convolution and the kernel's gradient", []shapes.Shape{pictures, kernel},
			func(x []*graph.Node) []*graph.Node { return both(strided)(x)[1:] }, 2 * convolution},
		{"convolution and gradients", []shapes.Shape{pictures, kernel}, both(strided), 3 * convolution},
		{"padded convolution and gradients", []shapes.Shape{pictures, kernel}, both(padded), 3 * same},
		{"padded convolution with strides and gradients", []shapes.Shape{pictures, kernel}, both(halved), 3 * half},
		{"dilated kernel and gradients", []shapes.Shape{pictures, kernel}, both(dilated), 3 * far},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := openedAnew(t)
			d := &Device{backend: b, name: xlaCPU}
			b.compiler = compilerFunc(func(text []byte) (Cost, error) { return Cost{Arguments: int64(len(text))}, nil })
			program, err := d.Compile("count", model.NewStore(),
				func(_ *model.Scope, x []*graph.Node) []*graph.Node { return test.build(x) })
			if err != nil {
				t.Fatal(err)
			}
			defer program.Close()
			cost, err := program.Cost(test.inputs...)
			if err != nil || cost.Arguments == 0 {
				t.Fatalf("%+v, %v", cost, err)
			}
			if got := cost.FLOPs; got != test.want {
				t.Errorf("got %v operations, want %v", got, test.want)
			}
		})
	}
}

type compilerFunc func(text []byte) (Cost, error)

func (f compilerFunc) compile(text []byte) (Cost, error) { return f(text) }
