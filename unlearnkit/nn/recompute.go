package nn

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

const recomputeParam = "unlearnkit_recompute"

// Recompute makes the model below scope keep only the inputs of its layers for the gradient, and compute everything
// else of a layer again when the gradient reaches it. A step needs less memory and a third more arithmetic. Recompute
// affects graphs for XLA that are built after the call, of models whose layers support it: the decoder of package llava.
// Results differ by rounding.
func Recompute(scope *model.Scope) { scope.SetParam(recomputeParam, true) }

// Recomputed calls layer for 0, 1, ... layers-1 with the output of the previous layer, x for the first, and returns the
// last output. If [Recompute] was called for the model below scope, it marks the inputs of the layers as the only values
// to keep.
func Recomputed(scope *model.Scope, x *graph.Node, layers int,
	layer func(number int, x *graph.Node) *graph.Node) *graph.Node {
	marks := model.GetParamOr(scope, recomputeParam, false) && Compiled(x.Graph())
	for i := range layers {
		if marks {
			x = x.Checkpoint()
		}
		x = layer(i, x)
	}
	if marks {
		x = x.StopCheckpoint()
	}
	return x
}
