package nn_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Both ways to compute a convolution agree, and so do their gradients.
func TestConvolution_BothWays(t *testing.T) {
	d := devicetest.Open(t)
	way := func(convolve func(x, weight *graph.Node, c nn.ConvConfig) *graph.Node,
		c nn.ConvConfig) func(x []*graph.Node) []*graph.Node {
		return func(x []*graph.Node) []*graph.Node { return withGradients(convolve(x[0], x[1], c), x) }
	}
	kernels := []int{1, 3, 4, 10}
	if d.XLA() {
		kernels = kernels[1:3] // each kernel takes seconds to compile
	}
	for _, kernel := range kernels {
		// GoMLX's convolution rejects a stride with a dilation
		for _, step := range []struct{ stride, dilation, groups int }{{1, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 1, 2},
			{1, 2, 1}, {1, 3, 2}} {
			c := nn.Filled(nn.ConvConfig{Out: 4, Kernel: []int{kernel}, Stride: []int{step.stride},
				Dilation: []int{step.dilation}, Padding: []int{kernel * step.dilation / 2}, Groups: step.groups})
			t.Run(fmt.Sprintf("kernel %d, stride %d, dilation %d, groups %d", kernel, step.stride, step.dilation,
				step.groups), func(t *testing.T) {
				agree(t, d, way(nn.ConvolveProducts, c), way(nn.ConvolveNative, c), 1e-12, []int{2, 33, 6},
					[]int{4, 6 / step.groups, kernel})
			})
		}
	}
}
