package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// BatchNormConfig sets how a batch is normalised.
type BatchNormConfig struct {
	Epsilon  float64
	Momentum float64 // the batch's weight in the running statistics; PyTorch uses 0.1
	// Training normalises by the batch's own statistics and updates the running ones. Otherwise the running statistics
	// normalise.
	Training bool
	// FreezeStatistics leaves the running statistics unchanged during training.
	FreezeStatistics bool
}

// BatchNorm applies PyTorch's batch normalisation over all axes but the last. Its tensors are weight, bias,
// running_mean and running_var; the two running statistics are not trainable. The batch is divided by its biased
// deviation, while the running variance is updated with the unbiased variance. Two calls in one graph update the
// running statistics twice.
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
		updateRunning(runningMean, mean, c.Momentum)
		updateRunning(runningVariance, graph.MulScalar(variance, float64(count)/float64(count-1)), c.Momentum)
	}
	scale := graph.Div(weight, graph.Sqrt(graph.AddScalar(expand(variance), c.Epsilon)))
	return graph.Add(graph.Mul(centred, scale), bias)
}

func updateRunning(running *model.Variable, batch *graph.Node, momentum float64) {
	kept := graph.MulScalar(running.NodeValue(batch), 1-momentum)
	running.SetNodeValue(graph.Add(kept, graph.MulScalar(graph.StopGradient(batch), momentum)))
}
