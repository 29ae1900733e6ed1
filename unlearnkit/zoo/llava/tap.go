package llava

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Site is a part of a decoder layer whose output can be read and replaced.
type Site int

const (
	PerceptronOutput Site = iota // what the perceptron adds to the hidden state
	AttentionOutput              // what the attention adds to the hidden state
	HiddenState                  // output of the layer
)

// Tap receives the output [B, T, Width] of a site and returns a replacement with the same shape.
type Tap func(layer int, site Site, x *graph.Node) *graph.Node

// at returns the tap's replacement of a site's output, or x without a tap.
func (t Tap) at(layer int, site Site, x *graph.Node) *graph.Node {
	if t == nil {
		return x
	}
	return t(layer, site, x)
}

// Tapped applies the decoder with tensors below scope to embeddings [B, T, Width], with a tap at all sites. It returns
// the logits [B, T - first, Vocabulary] of the next token at the places from first on.
func (c Decoder) Tapped(scope *model.Scope, embeddings *graph.Node, first int, tap Tap) *graph.Node {
	attention := c.attention()
	attention.Causal = true
	positions := graph.Iota(embeddings.Graph(), shapes.Make(dtypes.Int32, embeddings.Shape().Dimensions[1]), 0)
	hidden := c.decode(scope, embeddings, positions, func(_ int, q, k, v *graph.Node) *graph.Node {
		return nn.Attention(q, k, v, attention)
	}, tap)
	return c.output(scope, graph.Slice(hidden, graph.AxisRange(), graph.AxisRange(first)))
}
