package nn

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// PositionalConv applies wav2vec2's convolution over x [B, T, C] that replaces position embeddings, before its
// activation. Its weight is normalised for each element of the kernel (Salimans and Kingma, 2016): g v / ‖v‖ with the
// tensors parametrizations/weight/original0, g [1, 1, kernel], and original1, v [C, C/groups, kernel]. With an even
// kernel the last frame is dropped.
func PositionalConv(scope *model.Scope, x *graph.Node, kernel, groups int) *graph.Node {
	length, width := x.Shape().Dimensions[1], x.Shape().Dimensions[2]
	deviation := 2 / math.Sqrt(float64(kernel*width))
	norm := deviation * math.Sqrt(float64(width*width/groups)) // makes the first weight about equal to v
	parts := scope.At("parametrizations").At("weight")
	g := Parameter(parts, x, "original0", Constant(norm), 1, 1, kernel)
	v := Parameter(parts, x, "original1", Normal(deviation), width, width/groups, kernel)
	square := graph.ReduceAndKeep(graph.Square(v), graph.ReduceSum, 0, 1)
	weight := graph.Mul(v, graph.Div(g, graph.Sqrt(square)))
	y := Convolve(x, weight, ConvConfig{Out: width, Kernel: []int{kernel}, Padding: []int{kernel / 2}, Groups: groups})
	y = graph.Add(y, graph.ExpandLeftToRank(Parameter(scope, x, "bias", Constant(0), width), 3))
	if kernel%2 == 0 {
		y = graph.SliceAxis(y, 1, graph.AxisRangeFromStart(length))
	}
	return y
}
