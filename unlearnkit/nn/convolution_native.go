package nn

import "github.com/gomlx/gomlx/core/graph"

// convolveNative leaves the convolution to the backend. GoMLX derives a wrong input gradient for kernels that span an
// even number of positions, so those get one more tap of zeros. Convolutions with a stride have no second derivative.
func convolveNative(x, weight *graph.Node, c ConvConfig) *graph.Node {
	spatial := len(c.Kernel)
	order := make([]int, 0, spatial+2)
	for axis := range spatial {
		order = append(order, axis+2)
	}
	kernel := graph.TransposeAllAxes(weight, append(order, 1, 0)...)
	padding := c.symmetricPadding()
	for axis := range spatial {
		if c.reach(axis)%2 == 0 {
			kernel = graph.GrowRight(kernel, axis, 1, 0)
			padding[axis][1] += c.Dilation[axis]
		}
		if padding[axis][0] >= c.reach(axis) { // GoMLX has no gradient for windows wholly inside the padding
			x = pad(x, axis+1, padding[axis], 0)
			padding[axis] = [2]int{}
		}
	}
	convolution := graph.Convolve(x, kernel).PaddingPerDim(padding).ChannelGroupCount(c.Groups)
	if c.dilated() {
		return convolution.DilationPerAxis(c.Dilation...).Done()
	}
	return convolution.StridePerAxis(c.Stride...).Done()
}
