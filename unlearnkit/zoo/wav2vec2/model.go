package wav2vec2

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Input is a batch of clips.
type Input struct {
	Values *graph.Node // waveforms [B, samples], normalised as the model requires
	// Mask [B, samples] is not zero for samples that are not padding. Padding must be at the end of a row; nil means no
	// padding. Models with the rule "group" usually run without a mask and with zeros as padding, because their first
	// norm includes the padding anyway.
	Mask  *graph.Node
	Noise Noise
}

// Output is a model's output for a batch.
type Output struct {
	Logits *graph.Node // [B, labels]; nil without a head
	Hidden *graph.Node // output of the backbone [B, frames, hidden_size]
	// normalised output of the convolutions [B, frames, channels] before masking, which wav2vec 2.0 quantises
	Features *graph.Node
	// input of the first transformer layer and output of each layer, before the encoder's last norm if there is one
	States []*graph.Node
}

// Forward applies the model whose tensors are below scope.
//
// With a mask, padded frames are zero before the encoder, no frame attends to them, and the mean over frames ignores
// them. For a row without any frame, the logits are the classifier's bias. Without a mask, padding is treated as sound.
func Forward(scope *model.Scope, c Config, in Input) Output {
	out, valid := backboneOutput(scope, c, in)
	if c.NumLabels > 0 {
		out.Logits = FromLast(scope, c, headInput(scope, c, out), valid, 2)
	}
	return out
}

// backboneOutput returns the output without logits, and a mask of the valid frames, which is nil if all are valid.
func backboneOutput(scope *model.Scope, c Config, in Input) (out Output, valid *graph.Node) {
	backbone := scope.At("%s", c.ModelType)
	values := graph.ConvertDType(in.Values, nn.Type(scope))
	x := features(backbone.At("feature_extractor"), c, values)
	if in.Mask != nil {
		valid = c.valid(in.Mask, x.Shape().Dimensions[1])
	}
	out = Output{Features: normalise(backbone, c, x)}
	x = project(backbone, c, out.Features, in.Noise)
	out.States, out.Hidden = encode(backbone.At("encoder"), c, x, valid, in.Noise)
	return out, valid
}

// weightedSum returns the weighted mean of the states. The weights are the softmax of the tensor layer_weights.
func weightedSum(scope *model.Scope, states []*graph.Node) *graph.Node {
	count := len(states)
	weights := graph.Softmax(nn.Parameter(scope, states[0], "layer_weights", nn.Constant(1/float64(count)), count), -1)
	var sum *graph.Node
	for i, state := range states {
		term := graph.Mul(state, graph.Reshape(graph.Slice(weights, graph.AxisElem(i)), 1, 1, 1))
		if sum == nil {
			sum = term
		} else {
			sum = graph.Add(sum, term)
		}
	}
	return sum
}
