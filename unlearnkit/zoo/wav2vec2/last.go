package wav2vec2

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// BeforeLast returns the input for the last one or two of the children backbone, projector and classifier, as required
// by [FromLast]. With it, a head can be trained without running the backbone again.
//
//	last 1: [B, classifier_proj_size], the mean of the projected frames
//	last 2: [B, frames, hidden_size], and with a mask valid [B, frames], true for frames without padding
//
// If UseWeightedLayerSum is set, the weights of the sum belong to the earlier part.
func BeforeLast(scope *model.Scope, c Config, in Input, last int) (x, valid *graph.Node) {
	out, valid := backboneOutput(scope, c, in)
	x = headInput(scope, c, out)
	switch last {
	case 1:
		return meanProjection(scope, c, x, valid), nil
	case 2:
		return x, valid
	}
	panic(notLast(last))
}

// FromLast returns the logits for the result of [BeforeLast]. The head consists of a projection of each frame, their
// mean and a linear classifier.
func FromLast(scope *model.Scope, c Config, x, valid *graph.Node, last int) *graph.Node {
	switch last {
	case 1:
	case 2:
		x = meanProjection(scope, c, x, valid)
	default:
		panic(notLast(last))
	}
	return linear(scope.At("classifier"), c, x, c.NumLabels)
}

// SizeBeforeLast returns the number of values that [BeforeLast] returns for an input with a number of samples. If last
// is neither 1 nor 2, it returns 0.
func (c Config) SizeBeforeLast(samples, last int) int {
	switch last {
	case 1:
		return c.ClassifierProjSize
	case 2:
		return c.Frames(samples) * c.HiddenSize
	}
	return 0
}

func notLast(last int) error {
	return fmt.Errorf("the last %d children of the model: only the last 1 or 2 can be run without the backbone", last)
}

// headInput returns the frames that the head reads.
func headInput(scope *model.Scope, c Config, out Output) *graph.Node {
	if c.UseWeightedLayerSum {
		return weightedSum(scope, out.States)
	}
	return out.Hidden
}

// meanProjection returns the mean of the projected valid frames.
func meanProjection(scope *model.Scope, c Config, x, valid *graph.Node) *graph.Node {
	x = linear(scope.At("projector"), c, x, c.ClassifierProjSize)
	if valid == nil {
		return graph.ReduceMean(x, 1)
	}
	kept := graph.InsertAxes(graph.ConvertDType(valid, x.DType()), -1)
	count := graph.Max(graph.ReduceSum(kept, 1), graph.ScalarOne(x.Graph(), x.DType()))
	return graph.Div(graph.ReduceSum(graph.Mul(x, kept), 1), count)
}
