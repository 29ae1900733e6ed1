package diffusion

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Epsilons in the transformers of diffusers, which cannot be configured.
const (
	transformerEpsilon = 1e-6
	layerNormEpsilon   = 1e-5
)

// transformer applies Transformer2DModel of diffusers: the positions of x attend to each other and to the context.
func (c UNetConfig) transformer(scope *model.Scope, x, context *graph.Node, l Level) *graph.Node {
	width := channels(x)
	h := norm{c.Groups, transformerEpsilon}.apply(scope.At("norm"), x)
	project := func(name string, h *graph.Node) *graph.Node {
		if c.LinearProjection {
			return nn.Linear(at(scope, name), h, width, true)
		}
		return convolution1(at(scope, name), h, width)
	}
	h = sequence(project("proj_in", h))
	for i := range l.Blocks {
		h = c.block(scope.At("transformer_blocks").At("%d", i), h, context, l.Heads)
	}
	h = project("proj_out", graph.Reshape(h, x.Shape().Dimensions...))
	return graph.Add(x, h)
}

// block applies BasicTransformerBlock of diffusers: attn1 is self-attention, attn2 cross-attention.
func (c UNetConfig) block(scope *model.Scope, x, context *graph.Node, heads int) *graph.Node {
	normalise := func(name string) *graph.Node { return nn.LayerNorm(at(scope, name), x, layerNormEpsilon) }
	own := normalise("norm1")
	x = graph.Add(x, attend(scope.At("attn1"), own, own, heads, attentionOptions{}))
	x = graph.Add(x, attend(scope.At("attn2"), normalise("norm2"), context, heads,
		attentionOptions{holdFirst: c.HoldFirst}))
	return graph.Add(x, c.feedForward(scope.At("ff"), normalise("norm3")))
}

// attentionOptions holds the differences between attention layers.
type attentionOptions struct {
	bias      bool // queries, keys and values have biases, as in a VAE
	holdFirst bool // see UNetConfig.HoldFirst
}

// attend applies Attention of diffusers.
func attend(scope *model.Scope, x, context *graph.Node, heads int, o attentionOptions) *graph.Node {
	width := channels(x)
	q := nn.Linear(scope.At("to_q"), x, width, o.bias)
	k := nn.Linear(scope.At("to_k"), context, width, o.bias)
	v := nn.Linear(scope.At("to_v"), context, width, o.bias)
	if o.holdFirst {
		k, v = holdFirst(k), holdFirst(v)
	}
	return nn.Linear(at(scope, "to_out.0"), nn.Attention(q, k, v, nn.AttentionConfig{Heads: heads}), width, true)
}

// holdFirst stops the gradient of the first token in [B, T, C].
func holdFirst(x *graph.Node) *graph.Node {
	first := graph.StopGradient(graph.Slice(x, graph.AxisRange(), graph.AxisRange(0, 1)))
	if x.Shape().Dim(1) == 1 {
		return first
	}
	return graph.Concatenate([]*graph.Node{first, graph.Slice(x, graph.AxisRange(), graph.AxisRange(1))}, 1)
}

// feedForward applies a gated layer (GEGLU; Shazeer, "GLU variants improve transformer") and a linear layer.
func (c UNetConfig) feedForward(scope *model.Scope, x *graph.Node) *graph.Node {
	width, factor := channels(x), c.FeedForward
	if factor == 0 {
		factor = 4
	}
	h := nn.Linear(at(scope, "net.0.proj"), x, 2*factor*width, true)
	value := graph.Slice(h, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, factor*width))
	gate := graph.Slice(h, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(factor*width, 2*factor*width))
	return nn.Linear(at(scope, "net.2"), graph.Mul(value, nn.GELU(gate)), width, true)
}
