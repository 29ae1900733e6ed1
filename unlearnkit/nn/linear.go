package nn

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Linear is y = x Wᵀ + b over the last axis of x, with the tensors weight [out, in] and, if asked for, bias [out].
func Linear(scope *model.Scope, x *graph.Node, out int, bias bool) *graph.Node {
	dimensions := x.Shape().Dimensions
	in := dimensions[len(dimensions)-1]
	weight := Parameter(scope, x, "weight", Fan(in), out, in)
	y := graph.DotGeneral(graph.Reshape(x, -1, in), []int{1}, nil, weight, []int{1}, nil)
	if bias {
		y = graph.Add(y, graph.ExpandLeftToRank(Parameter(scope, x, "bias", Fan(in), out), 2))
	}
	return graph.Reshape(y, append(append([]int{}, dimensions[:len(dimensions)-1]...), out)...)
}
