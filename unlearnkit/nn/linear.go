package nn

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Linear returns x Wᵀ + b over the last axis of x. Its tensors are weight [out, in] and, with bias, bias [out]. Below a
// scope passed to [Adapt] it may have a low-rank adapter.
func Linear(scope *model.Scope, x *graph.Node, out int, bias bool) *graph.Node {
	dimensions := x.Shape().Dimensions
	in := dimensions[len(dimensions)-1]
	rows := graph.Reshape(x, -1, in)
	y := matMulTransposed(rows, Parameter(scope, x, "weight", Fan(in), out, in))
	if bias {
		y = graph.Add(y, graph.ExpandLeftToRank(Parameter(scope, x, "bias", Fan(in), out), 2))
	}
	if adapter := adapterOf(scope); adapter != nil {
		y = graph.Add(y, adapter.apply(scope, rows, out))
	}
	return graph.Reshape(y, append(append([]int{}, dimensions[:len(dimensions)-1]...), out)...)
}
