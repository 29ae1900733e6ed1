package llava

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Site is a part of a decoder's layer whose output can be read and overwritten.
type Site int

const (
	PerceptronOutput Site = iota // the perceptron's contribution to the hidden state
	AttentionOutput              // the attention's contribution to the hidden state
	HiddenState                  // the layer's output
)

// Tap receives the output [B, T, Width] of a site and returns its replacement, with the same shape.
type Tap func(layer int, site Site, x *graph.Node) *graph.Node

// at returns the tap's replacement of a site's output; without a tap it returns x.
func (t Tap) at(layer int, site Site, x *graph.Node) *graph.Node {
	if t == nil {
		return x
	}
	return t(layer, site, x)
}

// Tapped runs the decoder below scope on embeddings [B, T, Width] with a tap at every site. It returns the logits of
// the next token at the places from first on, [B, T - first, Vocabulary].
func (c Decoder) Tapped(scope *model.Scope, embeddings *graph.Node, first int, tap Tap) *graph.Node {
	attention := c.attention()
	attention.Causal = true
	positions := graph.Iota(embeddings.Graph(), shapes.Make(dtypes.Int32, embeddings.Shape().Dimensions[1]), 0)
	hidden := c.decode(scope, embeddings, positions, func(_ int, q, k, v *graph.Node) *graph.Node {
		return nn.Attention(q, k, v, attention)
	}, tap)
	return c.output(scope, graph.Slice(hidden, graph.AxisRange(), graph.AxisRange(first)))
}
