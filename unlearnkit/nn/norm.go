package nn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// LayerNorm applies PyTorch's layer normalisation over the last axis, with the tensors weight and bias.
func LayerNorm(scope *model.Scope, x *graph.Node, epsilon float64) *graph.Node {
	return inFloat32(x, func(x *graph.Node) *graph.Node {
		x = graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, -1))
		x = graph.Mul(x, scale(x, epsilon, -1))
		return graph.Add(graph.Mul(x, channels(scope, x, "weight", 1)), channels(scope, x, "bias", 0))
	})
}

// RMSNorm divides by the root mean square over the last axis. Its tensor is weight.
func RMSNorm(scope *model.Scope, x *graph.Node, epsilon float64) *graph.Node {
	return inFloat32(x, func(x *graph.Node) *graph.Node {
		x = graph.Mul(x, scale(x, epsilon, -1))
		return graph.Mul(x, channels(scope, x, "weight", 1))
	})
}

// GroupNorm applies PyTorch's group normalisation for activations with the channels last, with the tensors weight and
// bias. Each example is standardised over its positions and the channels of a group.
func GroupNorm(scope *model.Scope, x *graph.Node, groups int, epsilon float64) *graph.Node {
	dimensions := x.Shape().Dimensions
	count := dimensions[len(dimensions)-1]
	if groups < 1 || count%groups != 0 {
		panic(fmt.Errorf("group norm of %s: %d groups do not divide %d channels", x.Shape(), groups, count))
	}
	return inFloat32(x, func(x *graph.Node) *graph.Node {
		x = graph.Reshape(x, dimensions[0], -1, groups, count/groups)
		x = graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, 1, 3))
		factor := graph.BroadcastToDims(scale(x, epsilon, 1, 3), dimensions[0], 1, groups, count/groups)
		x = graph.Reshape(x, dimensions[0], -1, count)
		factor = graph.Mul(graph.Reshape(factor, dimensions[0], 1, count), channels(scope, x, "weight", 1))
		return graph.Reshape(graph.Add(graph.Mul(x, factor), channels(scope, x, "bias", 0)), dimensions...)
	})
}

// scale returns one over the root mean square of x over the axes. Multiplying by it takes fewer gradient operations
// than dividing by the root.
func scale(x *graph.Node, epsilon float64, axes ...int) *graph.Node {
	square := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, axes...)
	return graph.Reciprocal(graph.Sqrt(graph.AddScalar(square, epsilon)))
}

// channels returns the tensor called name, expanded to the rank of x. It has one value for each channel of x, initially
// first. [Wide] must have been applied to x.
func channels(scope *model.Scope, x *graph.Node, name string, first float64) *graph.Node {
	dimensions := x.Shape().Dimensions
	values := Parameter(scope, x, name, Constant(first), dimensions[len(dimensions)-1])
	return graph.ExpandLeftToRank(Wide(values), len(dimensions))
}
