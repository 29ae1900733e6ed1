package zootest

import (
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// perceptron returns a model with two hidden layers that classifies vectors.
func perceptron(rows, in, hidden int) Model {
	const classes = 10
	return Model{
		Name: "perceptron",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			x := nn.ReLU(nn.Linear(scope.At("0"), inputs[0], hidden, true))
			x = nn.ReLU(nn.Linear(scope.At("2"), x, hidden, true))
			return resnet.CrossEntropy(nn.Linear(scope.At("4"), x, classes, true), inputs[1])
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{normal(random, rows, in), below(random, classes, rows)}
		},
	}
}

// convolutional returns a model with three convolutions that classifies pictures. Batch normalisation follows the
// first, group normalisation the second, which has an even kernel, and none the third.
func convolutional(rows, side, width int) Model {
	const classes = 10
	return Model{
		Name: "convolutional",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			square := func(size int) []int { return []int{size, size} }
			x := graph.TransposeAllAxes(inputs[0], 0, 2, 3, 1)
			x = nn.Conv(scope.At("0"), x, nn.ConvConfig{Out: width, Kernel: square(3), Padding: square(1)})
			x = nn.ReLU(nn.BatchNorm(scope.At("1"), x,
				nn.BatchNormConfig{Epsilon: 1e-5, Momentum: 0.1, Training: true}))
			x = nn.Conv(scope.At("3"), x,
				nn.ConvConfig{Out: 2 * width, Kernel: square(4), Stride: square(2), Padding: square(1), Bias: true})
			x = nn.SiLU(nn.GroupNorm(scope.At("4"), x, 4, 1e-5))
			x = nn.MaxPool(x, 2, 2, 0)
			x = nn.ReLU(nn.Conv(scope.At("7"), x,
				nn.ConvConfig{Out: 2 * width, Kernel: square(3), Padding: square(1), Bias: true}))
			return resnet.CrossEntropy(nn.Linear(scope.At("11"), nn.GlobalMeanPool(x), classes, true), inputs[1])
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{normal(random, rows, 3, side, side), below(random, classes, rows)}
		},
	}
}

// sideBySide returns a model that sums independent matrix products of one input, each large enough to run on several
// processors. An executor deadlocks on it if an operation holds a worker while its own product waits for one.
func sideBySide(rows, width, branches int) Model {
	return Model{
		Name: "side by side",
		Loss: func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
			var sum *graph.Node
			for i := range branches {
				y := graph.ReduceAllMean(graph.Square(nn.Linear(scope.At("%d", i), inputs[0], width, true)))
				if sum == nil {
					sum = y
				} else {
					sum = graph.Add(sum, y)
				}
			}
			return sum
		},
		Batch: func(random *rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{normal(random, rows, width)} },
	}
}
