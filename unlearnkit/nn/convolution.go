package nn

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// ConvConfig describes a convolution. Kernel has one element per spatial axis. Stride, Padding and Dilation have the
// same length, or are nil for the defaults 1, 0 and 1.
type ConvConfig struct {
	Out      int
	Kernel   []int
	Stride   []int
	Padding  []int
	Dilation []int
	Groups   int // number of groups; 0 means 1
	Bias     bool
}

// Conv applies PyTorch's convolution to x [B, spatial..., C]. Its tensors are weight [Out, C/Groups, Kernel...] and,
// with c.Bias, bias [Out].
func Conv(scope *model.Scope, x *graph.Node, c ConvConfig) *graph.Node {
	c = c.withDefaults()
	in := x.Shape().Dimensions[x.Rank()-1] / c.Groups
	fan := Fan(in * volume(c.Kernel))
	y := Convolve(x, Parameter(scope, x, "weight", fan, append([]int{c.Out, in}, c.Kernel...)...), c)
	if c.Bias {
		y = graph.Add(y, graph.ExpandLeftToRank(Parameter(scope, x, "bias", fan, c.Out), y.Rank()))
	}
	return y
}

// Convolve applies [Conv] without a bias and with a given weight [Out, C/Groups, Kernel...].
func Convolve(x, weight *graph.Node, c ConvConfig) *graph.Node {
	c = c.withDefaults()
	c.check(x, weight)
	if Compiled(x.Graph()) && c.native(x) {
		return convolveNative(x, weight, c)
	}
	return convolveProducts(x, weight, c)
}

// native reports whether XLA's own convolution is faster than matrix products. On a CPU it takes half the time for
// kernels with two axes, but up to four times as long for kernels with one axis or one element, groups and patches.
func (c ConvConfig) native(x *graph.Node) bool {
	if c.strided() && c.dilated() { // GoMLX does not support both at once
		return false
	}
	// The unfolded input must not take more than 256 MiB in float32.
	seen := x.Shape().Size() * volume(c.Kernel) / volume(c.Stride)
	return seen > 1<<26 || len(c.Kernel) > 1 && c.Groups == 1 && volume(c.Kernel) > 1 && !c.foldable()
}

// Compiled reports whether XLA will compile the graph. The Go backend, even inside a wrapper, computes convolutions
// with plain loops, a hundred times slower than matrix products.
func Compiled(g *graph.Graph) bool { return g.Backend().String() != "go" }

func (c ConvConfig) withDefaults() ConvConfig {
	fill := func(values []int, value int) []int {
		if values == nil {
			return slices.Repeat([]int{value}, len(c.Kernel))
		}
		return values
	}
	c.Stride, c.Padding, c.Dilation = fill(c.Stride, 1), fill(c.Padding, 0), fill(c.Dilation, 1)
	c.Groups = max(c.Groups, 1)
	return c
}

func (c ConvConfig) check(x, weight *graph.Node) {
	spatial := len(c.Kernel)
	if spatial == 0 || len(c.Stride) != spatial || len(c.Padding) != spatial || len(c.Dilation) != spatial ||
		x.Rank() != spatial+2 {
		panic(fmt.Errorf("a convolution of %s needs kernel, stride, padding and dilation for each of %d spatial axes",
			x.Shape(), x.Rank()-2))
	}
	in := x.Shape().Dimensions[spatial+1]
	want := append([]int{c.Out, in / c.Groups}, c.Kernel...)
	if in%c.Groups != 0 || c.Out%c.Groups != 0 || !slices.Equal(weight.Shape().Dimensions, want) {
		panic(fmt.Errorf("a convolution of %s in %d groups needs a weight %v, got %s", x.Shape(), c.Groups, want,
			weight.Shape()))
	}
	for axis := range spatial {
		if c.size(axis, x.Shape().Dimensions[axis+1]) < 1 {
			panic(fmt.Errorf("the kernel %v with dilation %v is larger than %s with padding %v", c.Kernel, c.Dilation,
				x.Shape(), c.Padding))
		}
	}
}

func (c ConvConfig) strided() bool { return slices.Max(c.Stride) > 1 }
func (c ConvConfig) dilated() bool { return slices.Max(c.Dilation) > 1 }

// reach returns how many positions the kernel spans along an axis.
func (c ConvConfig) reach(axis int) int { return (c.Kernel[axis]-1)*c.Dilation[axis] + 1 }

// size returns the output's size along an axis whose input has the given size.
func (c ConvConfig) size(axis, input int) int {
	return (input + 2*c.Padding[axis] - c.reach(axis) + c.Stride[axis]) / c.Stride[axis]
}

func volume(kernel []int) int {
	taps := 1
	for _, k := range kernel {
		taps *= k
	}
	return taps
}

// symmetricPadding returns the padding in the form that [Pad] needs.
func (c ConvConfig) symmetricPadding() [][2]int {
	padding := make([][2]int, len(c.Padding))
	for axis, p := range c.Padding {
		padding[axis] = [2]int{p, p}
	}
	return padding
}
