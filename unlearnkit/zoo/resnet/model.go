package resnet

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Mode determines how batch norms work. The zero Mode is evaluation.
type Mode struct {
	// Training normalises with the batch's own statistics and updates the running ones.
	Training bool
	// FreezeStatistics leaves the running statistics unchanged during training.
	FreezeStatistics bool
}

// Output is a model's output for a batch of pictures.
type Output struct {
	Logits   *graph.Node   // [B, classes]
	Features *graph.Node   // [B, FeatureWidth]
	Stages   []*graph.Node // outputs [B, H, W, C] of the stem and of each layer
}

// Forward applies the model with tensors below scope to images [B, 3, H, W]. In training mode, each call in a graph
// updates the running statistics.
func Forward(scope *model.Scope, c Config, images *graph.Node, mode Mode) Output {
	x := graph.ConvertDType(graph.TransposeAllAxes(images, 0, 2, 3, 1), nn.Type(scope))
	x = convolve(scope.At("conv1"), x, c.Widths[0], c.StemKernel, c.StemStride)
	x = nn.ReLU(normalise(scope.At("bn1"), x, mode))
	if c.StemPool {
		x = nn.MaxPool(x, 3, 2, 1)
	}
	out := Output{Stages: []*graph.Node{x}}
	for i, width := range c.Widths {
		for j := range c.Blocks[i] {
			stride := 1
			if i > 0 && j == 0 {
				stride = 2
			}
			x = block(scope.At("layer%d", i+1).At("%d", j), x, width, stride, mode)
		}
		out.Stages = append(out.Stages, x)
	}
	out.Features = nn.GlobalMeanPool(x)
	out.Logits = head(scope, c, out.Features)
	return out
}

func head(scope *model.Scope, c Config, features *graph.Node) *graph.Node {
	return nn.Linear(scope.At("fc"), features, c.Classes, true)
}

// block applies a basic block: it adds the output of two convolutions to their input or, if the shapes differ, to a 1×1
// convolution of the input.
func block(scope *model.Scope, x *graph.Node, width, stride int, mode Mode) *graph.Node {
	y := nn.ReLU(normalise(scope.At("bn1"), convolve(scope.At("conv1"), x, width, 3, stride), mode))
	y = normalise(scope.At("bn2"), convolve(scope.At("conv2"), y, width, 3, 1), mode)
	if dimensions := x.Shape().Dimensions; stride != 1 || dimensions[len(dimensions)-1] != width {
		shorten := scope.At("downsample")
		x = normalise(shorten.At("1"), convolve(shorten.At("0"), x, width, 1, stride), mode)
	}
	return nn.ReLU(graph.Add(y, x))
}

// convolve applies a convolution. Like torchvision, it uses normally distributed initial values according to He et al.
// (2015) for the number of outputs.
func convolve(scope *model.Scope, x *graph.Node, width, kernel, stride int) *graph.Node {
	in := x.Shape().Dimensions[3]
	nn.Parameter(scope, x, "weight", nn.Normal(math.Sqrt(2/float64(width*kernel*kernel))), width, in, kernel, kernel)
	half := kernel / 2
	return nn.Conv(scope, x, nn.ConvConfig{Out: width, Kernel: []int{kernel, kernel}, Stride: []int{stride, stride},
		Padding: []int{half, half}})
}

func normalise(scope *model.Scope, x *graph.Node, mode Mode) *graph.Node {
	return nn.BatchNorm(scope, x, nn.BatchNormConfig{Epsilon: 1e-5, Momentum: 0.1, Training: mode.Training,
		FreezeStatistics: mode.FreezeStatistics})
}
