package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// MaxPool takes the largest value of each window over all axes between the first and the last. Among equal values the
// first receives the gradient, as in PyTorch.
func MaxPool(x *graph.Node, kernel, stride, padding int) *graph.Node {
	return pool(x, kernel, stride, padding, -1e30, graph.Max)
}

// MeanPool takes the mean of each window over all axes between the first and the last. Padding counts as zeros.
func MeanPool(x *graph.Node, kernel, stride, padding int) *graph.Node {
	sum := pool(x, kernel, stride, padding, 0, graph.Add)
	share := 1.0
	for range x.Rank() - 2 {
		share /= float64(kernel)
	}
	return graph.MulScalar(sum, share)
}

// GlobalMeanPool takes the mean over all axes between the first and the last and drops them.
func GlobalMeanPool(x *graph.Node) *graph.Node {
	dimensions := x.Shape().Dimensions
	return graph.ReduceMean(graph.Reshape(x, dimensions[0], -1, dimensions[len(dimensions)-1]), 1)
}

// pool joins the elements of a window axis by axis, the last axis first, so that the first of equal values in reading
// order is the left operand of join.
func pool(x *graph.Node, kernel, stride, padding int, fill float64,
	join func(a, b *graph.Node) *graph.Node) *graph.Node {
	shape := x.Shape()
	for axis := x.Rank() - 2; axis > 0; axis-- {
		x = pad(x, axis, [2]int{padding, padding}, fill)
		if x.Shape().Dimensions[axis] < kernel || 2*padding > kernel {
			panic(fmt.Errorf("a window of %d does not fit %s with padding %d, which may be half a window at most",
				kernel, shape, padding))
		}
		size := (x.Shape().Dimensions[axis]-kernel)/stride + 1
		joined := stridedSlice(x, axis, 0, size, stride)
		for place := 1; place < kernel; place++ {
			joined = join(joined, stridedSlice(x, axis, place, size, stride))
		}
		x = joined
	}
	return x
}

// stridedSlice takes count elements of the axis from start on, stride apart.
func stridedSlice(x *graph.Node, axis, start, count, stride int) *graph.Node {
	return graph.SliceAxis(x, axis, graph.AxisRange(start, start+(count-1)*stride+1).Stride(stride))
}

// Pad adds zeros before and after each axis between the first and the last.
func Pad(x *graph.Node, padding [][2]int) *graph.Node {
	for i, p := range padding {
		x = pad(x, i+1, p, 0)
	}
	return x
}

func pad(x *graph.Node, axis int, padding [2]int, fill float64) *graph.Node {
	if padding[0] > 0 {
		x = graph.GrowLeft(x, axis, padding[0], fill)
	}
	if padding[1] > 0 {
		x = graph.GrowRight(x, axis, padding[1], fill)
	}
	return x
}
