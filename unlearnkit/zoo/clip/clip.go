package clip

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// EncodeImage returns the embeddings [B, Projection] of images [B, Channels, H, W], normalised to length one.
func EncodeImage(scope *model.Scope, c Config, pixels *graph.Node) *graph.Node {
	_, pooled := Image(scope, c.Vision, pixels)
	return c.project(scope.At("visual_projection"), pooled)
}

// EncodeText returns the embeddings [B, Projection] of texts, normalised to length one. [Text] explains ids and mask.
func EncodeText(scope *model.Scope, c Config, ids, mask *graph.Node) *graph.Node {
	_, pooled := Text(scope, c.Text, ids, mask)
	return c.project(scope.At("text_projection"), pooled)
}

// project maps a tower's output to the unit sphere of common embeddings.
func (c Config) project(scope *model.Scope, pooled *graph.Node) *graph.Node {
	in := pooled.Shape().Dimensions[1]
	nn.Parameter(scope, pooled, "weight", nn.Normal(1/math.Sqrt(float64(in))), c.Projection, in)
	x := nn.Linear(scope, pooled, c.Projection, false)
	return graph.Div(x, graph.Sqrt(graph.ReduceAndKeep(graph.Square(x), graph.ReduceSum, -1)))
}

// HiddenImage returns the hidden state of the vision tower after a number of blocks. Negative numbers count from the
// end, where -1 is the last block.
func HiddenImage(scope *model.Scope, c VisionConfig, pixels *graph.Node, layer int) *graph.Node {
	states, _ := Image(scope, c, pixels)
	if layer < 0 {
		layer += len(states)
	}
	return states[layer]
}

// HiddenText returns the normalised last hidden state of the text tower, to which Stable Diffusion's UNet attends.
func HiddenText(scope *model.Scope, c TextConfig, ids, mask *graph.Node) *graph.Node {
	last, _ := Text(scope, c, ids, mask)
	return last
}

// Logits returns the scaled cosine similarities [images, texts] of embeddings.
func Logits(scope *model.Scope, images, texts *graph.Node) *graph.Node {
	scale := nn.Parameter(scope, images, "logit_scale", nn.Constant(math.Log(1/0.07)))
	return graph.Mul(graph.Exp(scale), graph.DotGeneral(images, []int{1}, nil, texts, []int{1}, nil))
}

// ContrastiveLoss returns the mean cross-entropy over the rows and the columns of square logits. The matching pairs are
// on the diagonal.
func ContrastiveLoss(logits *graph.Node) *graph.Node {
	size := logits.Shape().Dimensions[0]
	diagonal := graph.ConvertDType(graph.Diagonal(logits.Graph(), size), logits.DType())
	pick := func(axis int) *graph.Node {
		return graph.ReduceAllSum(graph.Mul(graph.LogSoftmax(logits, axis), diagonal))
	}
	return graph.MulScalar(graph.Add(pick(0), pick(1)), -0.5/float64(size))
}

// MaxLogitScale is the maximum to which training clamps logit_scale after each step.
var MaxLogitScale = math.Log(100)
