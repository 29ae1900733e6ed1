package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// BatchNormConfig says how a batch is normalised.
type BatchNormConfig struct {
	Epsilon  float64
	Momentum float64 // the share of the batch in the running statistics, 0.1 in PyTorch
	// Training normalises by the batch's own statistics and moves the running ones; otherwise the running ones
	// normalise.
	Training bool
	// FreezeStatistics leaves the running statistics as they are while training.
	FreezeStatistics bool
}

// BatchNorm is PyTorch's over all axes but the last, with the tensors weight, bias, running_mean and running_var, of
// which the latter two are not trainable. The batch is divided by its biased deviation, the running variance takes the
// unbiased one. Two calls in one graph move the running statistics twice.
func BatchNorm(scope *model.Scope, x *graph.Node, c BatchNormConfig) *graph.Node {
	dimensions := x.Shape().Dimensions
	width := dimensions[len(dimensions)-1]
	weight, bias := channels(scope, x, "weight", 1), channels(scope, x, "bias", 0)
	runningMean := variable(scope, "running_mean", Constant(0), width).SetTrainable(false)
	runningVariance := variable(scope, "running_var", Constant(1), width).SetTrainable(false)
	expand := func(statistic *graph.Node) *graph.Node { return graph.ExpandLeftToRank(statistic, len(dimensions)) }
	if !c.Training {
		scale := graph.Div(weight, graph.Sqrt(graph.AddScalar(expand(runningVariance.NodeValue(x)), c.Epsilon)))
		return graph.Add(graph.Mul(graph.Sub(x, expand(runningMean.NodeValue(x))), scale), bias)
	}
	count := x.Shape().Size() / width
	if count < 2 {
		panic(fmt.Errorf("batch norm %s: one value per channel has no variance, got %s", scope.Scope(), x.Shape()))
	}
	rows := make([]int, len(dimensions)-1)
	for axis := range rows {
		rows[axis] = axis
	}
	mean := graph.ReduceMean(x, rows...)
	centred := graph.Sub(x, expand(mean))
	variance := graph.ReduceMean(graph.Square(centred), rows...)
	if !c.FreezeStatistics {
		move(runningMean, mean, c.Momentum)
		move(runningVariance, graph.MulScalar(variance, float64(count)/float64(count-1)), c.Momentum)
	}
	scale := graph.Div(weight, graph.Sqrt(graph.AddScalar(expand(variance), c.Epsilon)))
	return graph.Add(graph.Mul(centred, scale), bias)
}

func move(running *model.Variable, batch *graph.Node, momentum float64) {
	kept := graph.MulScalar(running.NodeValue(batch), 1-momentum)
	running.SetNodeValue(graph.Add(kept, graph.MulScalar(graph.StopGradient(batch), momentum)))
}
