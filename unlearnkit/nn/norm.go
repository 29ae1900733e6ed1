package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// LayerNorm is PyTorch's over the last axis, with the tensors weight and bias.
func LayerNorm(scope *model.Scope, x *graph.Node, epsilon float64) *graph.Node {
	return affine(scope, standardise(x, epsilon, -1))
}

// RMSNorm divides by the root of the mean square over the last axis, with the tensor weight.
func RMSNorm(scope *model.Scope, x *graph.Node, epsilon float64) *graph.Node {
	square := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, -1)
	x = graph.Div(x, graph.Sqrt(graph.AddScalar(square, epsilon)))
	return graph.Mul(x, channels(scope, x, "weight", 1))
}

// GroupNorm is PyTorch's for activations with the channels last, with the tensors weight and bias: each example is standardised over its places and the channels of a group.
func GroupNorm(scope *model.Scope, x *graph.Node, groups int, epsilon float64) *graph.Node {
	dimensions := x.Shape().Dimensions
	count := dimensions[len(dimensions)-1]
	if groups < 1 || count%groups != 0 {
		panic(fmt.Errorf("group norm of %s: %d groups do not divide %d channels", x.Shape(), groups, count))
	}
	grouped := graph.Reshape(x, dimensions[0], -1, groups, count/groups)
	return affine(scope, graph.Reshape(standardise(grouped, epsilon, 1, 3), dimensions...))
}

// standardise subtracts the mean over the axes and divides by the root of the biased variance.
func standardise(x *graph.Node, epsilon float64, axes ...int) *graph.Node {
	x = graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, axes...))
	variance := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, axes...)
	return graph.Div(x, graph.Sqrt(graph.AddScalar(variance, epsilon)))
}

func affine(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Add(graph.Mul(x, channels(scope, x, "weight", 1)), channels(scope, x, "bias", 0))
}

// channels is a tensor with a value for each channel of x.
func channels(scope *model.Scope, x *graph.Node, name string, first float64) *graph.Node {
	dimensions := x.Shape().Dimensions
	return graph.ExpandLeftToRank(Parameter(scope, x, name, Constant(first), dimensions[len(dimensions)-1]), len(dimensions))
}
