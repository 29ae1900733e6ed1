package nn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// UpsampleNearest repeats each element factor times along every axis between the first and the last.
func UpsampleNearest(x *graph.Node, factor int) *graph.Node {
	dimensions := x.Shape().Dimensions
	apart, wide, joined := dimensions[:1:1], dimensions[:1:1], dimensions[:1:1]
	for _, size := range dimensions[1 : len(dimensions)-1] {
		apart, wide, joined = append(apart, size, 1), append(wide, size, factor), append(joined, size*factor)
	}
	count := dimensions[len(dimensions)-1]
	x = graph.BroadcastToDims(graph.Reshape(x, append(apart, count)...), append(wide, count)...)
	return graph.Reshape(x, append(joined, count)...)
}

// ResizeMethod selects how [Resize] interpolates.
type ResizeMethod int

// The modes of PyTorch's interpolate.
const (
	Nearest ResizeMethod = iota
	Bilinear
	Bicubic
)

// ResizeOption changes [Resize].
type ResizeOption int

// AlignCorners aligns the centres of the first and last pixels of input and output, instead of the outer edges.
const AlignCorners ResizeOption = 1

// Resize resizes images [B, H, W, C] like PyTorch's interpolate without antialiasing.
func Resize(x *graph.Node, height, width int, method ResizeMethod, options ...ResizeOption) *graph.Node {
	if x.Rank() != 4 {
		panic(fmt.Errorf("resize needs [batch, height, width, channels], got %s", x.Shape()))
	}
	align := slices.Contains(options, AlignCorners)
	d := x.Shape().Dimensions
	if height != d[1] {
		x = graph.Einsum("uh,bhwc->buwc", interpolation(x, d[1], height, method, align), x)
	}
	if width != d[2] {
		x = graph.Einsum("vw,bhwc->bhvc", interpolation(x, d[2], width, method, align), x)
	}
	return x
}

// interpolation returns the matrix [out, in] that resizes one axis.
func interpolation(like *graph.Node, in, out int, method ResizeMethod, align bool) *graph.Node {
	matrix := make([]float64, out*in)
	for to := range out {
		row := matrix[to*in : (to+1)*in]
		add := func(from int, weight float64) { row[min(max(from, 0), in-1)] += weight }
		if method == Nearest {
			add(to*in/out, 1)
			continue
		}
		at := source(to, in, out, align)
		from := int(math.Floor(at))
		share := at - float64(from)
		if method == Bilinear {
			add(from, 1-share)
			add(from+1, share)
			continue
		}
		for i, weight := range cubic(share) {
			add(from-1+i, weight)
		}
	}
	return graph.Reshape(graph.ConstAsDType(like.Graph(), like.DType(), matrix), out, in)
}

// source returns the input coordinate of the output index to.
func source(to, in, out int, align bool) float64 {
	if !align {
		return (float64(to)+0.5)*float64(in)/float64(out) - 0.5
	}
	if out == 1 {
		return 0
	}
	return float64(to) * float64(in-1) / float64(out-1)
}

// cubic returns the weights of the four neighbours by Keys' kernel with a = -3/4, PyTorch's choice.
func cubic(share float64) [4]float64 {
	const a = -0.75
	near := func(t float64) float64 { return ((a+2)*t-(a+3))*t*t + 1 }
	far := func(t float64) float64 { return ((a*t-5*a)*t+8*a)*t - 4*a }
	return [4]float64{far(1 + share), near(share), near(1 - share), far(2 - share)}
}
