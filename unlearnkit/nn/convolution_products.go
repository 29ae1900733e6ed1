package nn

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// convolveProducts computes a convolution by products of matrices.
func convolveProducts(x, weight *graph.Node, c ConvConfig) *graph.Node {
	x = Pad(x, c.symmetric())
	out := []int{x.Shape().Dimensions[0]}
	unpadded := c
	unpadded.Padding = make([]int, len(c.Kernel))
	for axis := range c.Kernel {
		out = append(out, unpadded.size(axis, x.Shape().Dimensions[axis+1]))
	}
	columns := make([]*graph.Node, volume(c.Kernel))
	for t := range columns {
		columns[t] = tap(x, c, out, t)
	}
	spatial := len(c.Kernel)
	channels := x.Shape().Dimensions[spatial+1]
	rows := volume(out)
	order := make([]int, 0, spatial+2)
	for axis := range spatial {
		order = append(order, axis+2)
	}
	if c.Groups == 1 {
		kernel := graph.Reshape(graph.TransposeAllAxes(weight, append(append([]int{0}, order...), 1)...), c.Out, -1)
		y := product(graph.Reshape(graph.Concatenate(columns, -1), rows, -1), kernel)
		return graph.Reshape(y, append(slices.Clone(out), c.Out)...)
	}
	matrix := graph.Reshape(graph.Concatenate(columns, -1), rows, len(columns), c.Groups, channels/c.Groups)
	kernel := graph.Reshape(graph.TransposeAllAxes(weight, append(append([]int{0}, order...), 1)...), c.Groups, c.Out/c.Groups, len(columns), channels/c.Groups)
	y := graph.DotGeneral(matrix, []int{1, 3}, []int{2}, kernel, []int{2, 3}, []int{0})
	return graph.Reshape(graph.TransposeAllAxes(y, 1, 0, 2), append(slices.Clone(out), c.Out)...)
}

// tap is what the t-th place of the kernel sees: [out..., C].
func tap(x *graph.Node, c ConvConfig, out []int, t int) *graph.Node {
	for axis := len(c.Kernel) - 1; axis >= 0; axis-- {
		x = every(x, axis+1, t%c.Kernel[axis]*c.Dilation[axis], out[axis+1], c.Stride[axis])
		t /= c.Kernel[axis]
	}
	return x
}
