package nn

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Embedding looks ids up in the tensor weight [count, width]; the width becomes the last axis. Ids must be from 0 to
// count-1: outside that range devices behave differently.
func Embedding(scope *model.Scope, ids *graph.Node, count, width int) *graph.Node {
	return graph.Gather(Parameter(scope, ids, "weight", Normal(1), count, width), graph.InsertAxes(ids, -1))
}

// Dropout keeps the values of x where noise is at least rate, divided by 1-rate, and sets the others to zero. The noise
// is uniform on [0, 1) and has the shape of x. It is drawn on the host, so that every device drops the same values.
func Dropout(x, noise *graph.Node, rate float64) *graph.Node {
	if rate == 0 {
		return x
	}
	keep := graph.GreaterOrEqual(noise, graph.ConstAs(noise, rate))
	return graph.Where(keep, graph.MulScalar(x, 1/(1-rate)), graph.ZerosLike(x))
}
