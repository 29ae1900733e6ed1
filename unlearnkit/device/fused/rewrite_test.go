package fused

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// spy records the plan that the backend makes of a graph.
type spy struct {
	*Backend
	made *plan
}

type spyBuilder struct {
	compute.Builder
	spy *spy
}

func (s *spy) Builder(name string) compute.Builder { return &spyBuilder{s.Backend.Builder(name), s} }

func (b *spyBuilder) Compile() (compute.Executable, error) {
	made, err := b.Builder.Compile()
	b.spy.made, _ = made.(*plan)
	return made, err
}

// The windows that the kernel of a convolution sees are never stored.
func TestRewrite_WindowsNotStored(t *testing.T) {
	if !canMultiply() {
		t.Skip("needs AVX2: other products belong to the Go backend, which stores it")
	}
	for _, c := range []nn.ConvConfig{
		{Out: 8, Kernel: []int{3, 3}, Padding: []int{1, 1}},
		{Out: 8, Kernel: []int{3, 3}, Padding: []int{1, 1}, Stride: []int{2, 2}},
		{Out: 8, Kernel: []int{5, 4}, Padding: []int{2, 2}, Dilation: []int{2, 1}},
		{Out: 8, Kernel: []int{3, 3}, Groups: 2},
	} {
		plain, err := gobackend.New("")
		if err != nil {
			t.Fatal(err)
		}
		planned, err := Wrap(plain)
		if err != nil {
			t.Fatal(err)
		}
		backend := &spy{Backend: planned}
		exec, err := graph.NewExec(backend, func(x, weight *graph.Node) []*graph.Node {
			return graph.Gradient(graph.ReduceAllSum(graph.Square(nn.Convolve(x, weight, c))), x, weight)
		})
		if err != nil {
			t.Fatal(err)
		}
		x := tensors.FromShape(shapes.Make(dtypes.Float32, 4, 20, 20, 8))
		weight := tensors.FromShape(shapes.Make(dtypes.Float32, 8, 8/max(1, c.Groups), c.Kernel[0], c.Kernel[1]))
		if _, err := exec.Call(x, weight); err != nil {
			t.Fatal(err)
		}
		padded := 4 * 24 * 24 * 8
		for _, s := range backend.made.steps {
			if s.node.shape.Size() > padded {
				t.Errorf("%+v: operation %d stores %s, more than the padded input", c, s.node.op, s.node.shape)
			}
		}
	}
}
