package nn

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// convolveProducts computes a convolution as one matrix product per group: the unfolded input of each output position
// times the kernel.
func convolveProducts(x, weight *graph.Node, c ConvConfig) *graph.Node {
	x = Pad(x, c.symmetricPadding())
	c.Padding = make([]int, len(c.Kernel))
	out := []int{x.Shape().Dimensions[0]}
	for axis := range c.Kernel {
		out = append(out, c.size(axis, x.Shape().Dimensions[axis+1]))
	}
	if c.foldable() {
		x, weight, c = foldStrides(x, weight, c, out)
	}
	seen := columns(x, c, out)
	order := make([]int, 1, len(out)+1) // [out, in, kernel...] to [out, kernel..., in]
	for axis := range c.Kernel {
		order = append(order, axis+2)
	}
	kernel := graph.TransposeAllAxes(weight, append(order, 1)...)
	if c.Groups == 1 {
		y := matMulTransposed(graph.Reshape(seen, volume(out), -1), graph.Reshape(kernel, c.Out, -1))
		return graph.Reshape(y, append(out, c.Out)...)
	}
	y := matMulTransposed(graph.Reshape(seen, c.Groups, volume(out), -1),
		graph.Reshape(kernel, c.Groups, c.Out/c.Groups, -1))
	return graph.Reshape(graph.TransposeAllAxes(y, 1, 0, 2), append(out, c.Out)...)
}

// foldable reports whether the strides divide the kernel, in an undilated convolution without groups.
func (c ConvConfig) foldable() bool {
	for axis, stride := range c.Stride {
		if c.Kernel[axis]%stride != 0 {
			return false
		}
	}
	return c.Groups == 1 && c.strided() && !c.dilated()
}

// foldStrides folds each stride-sized block of positions into the channels of one position. A convolution with strides
// thus becomes a smaller one without strides. A convolution over patches becomes one matrix product.
func foldStrides(x, weight *graph.Node, c ConvConfig, out []int) (*graph.Node, *graph.Node, ConvConfig) {
	dimensions := x.Shape().Dimensions
	batch, channels := dimensions[0], dimensions[len(dimensions)-1]
	spatial := len(c.Kernel)
	kernel, ones := make([]int, spatial), slices.Repeat([]int{1}, spatial)
	apart, folded := []int{batch}, []int{batch}
	outer, inner := []int{0}, []int{}
	weightApart, weightOuter, weightInner := []int{c.Out, channels}, []int{}, []int{0}
	for axis, stride := range c.Stride {
		kernel[axis] = c.Kernel[axis] / stride
		size := out[axis+1] - 1 + kernel[axis]
		x = graph.SliceAxis(x, axis+1, graph.AxisRangeFromStart(size*stride))
		apart, folded = append(apart, size, stride), append(folded, size)
		outer, inner = append(outer, 2*axis+1), append(inner, 2*axis+2)
		weightApart = append(weightApart, kernel[axis], stride)
		weightOuter, weightInner = append(weightOuter, 2*axis+2), append(weightInner, 2*axis+3)
	}
	x = graph.TransposeAllAxes(graph.Reshape(x, append(apart, channels)...),
		append(append(outer, inner...), 2*spatial+1)...)
	weight = graph.TransposeAllAxes(graph.Reshape(weight, weightApart...),
		append(append(weightInner, 1), weightOuter...)...)
	c.Kernel, c.Stride = kernel, ones
	return graph.Reshape(x, append(folded, -1)...), graph.Reshape(weight, append([]int{c.Out, -1}, kernel...)...), c
}

// columns unfolds the input: it returns the kernel's window at each output position, with the taps one after another in
// the last axis. The result is [out..., taps·C], or [groups, out..., taps·C/groups] for more than one group.
func columns(x *graph.Node, c ConvConfig, out []int) *graph.Node {
	before := 1
	if c.Groups > 1 {
		x = splitGroups(x, c.Groups)
		before = 2
	}
	taps := make([]*graph.Node, volume(c.Kernel))
	for t := range taps {
		seen := make([]graph.SliceAxisSpec, x.Rank())
		for axis := range seen {
			seen[axis] = graph.AxisRange()
		}
		for axis, rest := len(c.Kernel)-1, t; axis >= 0; axis-- {
			start := rest % c.Kernel[axis] * c.Dilation[axis]
			seen[before+axis] = graph.AxisRange(start, start+(out[axis+1]-1)*c.Stride[axis]+1).Stride(c.Stride[axis])
			rest /= c.Kernel[axis]
		}
		taps[t] = graph.Slice(x, seen...)
	}
	if len(taps) == 1 {
		return taps[0]
	}
	return graph.Concatenate(taps, -1)
}

// splitGroups rearranges x from [B, ..., C] to [groups, B, ..., C/groups].
func splitGroups(x *graph.Node, groups int) *graph.Node {
	dimensions := slices.Clone(x.Shape().Dimensions)
	last := len(dimensions) - 1
	order := []int{last}
	for axis := range last {
		order = append(order, axis)
	}
	x = graph.Reshape(x, append(dimensions[:last:last], groups, dimensions[last]/groups)...)
	return graph.TransposeAllAxes(x, append(order, last+1)...)
}
