package llava

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Projections lists the names of a decoder's linear layers. Published recipes adapt all of them with [nn.Adapt].
var Projections = []string{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}

// linear is nn.Linear with the initial values used in transformers.
func linear(scope *model.Scope, x *graph.Node, out int, bias bool) *graph.Node {
	nn.Parameter(scope, x, "weight", nn.Normal(0.02), out, x.Shape().Dimensions[x.Rank()-1])
	if bias {
		nn.Parameter(scope, x, "bias", nn.Constant(0), out)
	}
	return nn.Linear(scope, x, out, bias)
}

// Embed returns the embeddings [B, T, Width] of token IDs [B, T] of type int32, with the decoder's tensors below scope.
func (c Decoder) Embed(scope *model.Scope, ids *graph.Node) *graph.Node {
	at := scope.At("model").At("embed_tokens")
	nn.Parameter(at, ids, "weight", nn.Normal(0.02), c.Vocabulary, c.Width)
	return nn.Embedding(at, ids, c.Vocabulary, c.Width)
}

// Logits applies the decoder with tensors below scope to embeddings [B, T, Width]. It returns the logits [B, T,
// Vocabulary] of the next token at each place. The mask [B, T], of any type, is 0 for padding, which may be on either
// side; nil means no padding.
func (c Decoder) Logits(scope *model.Scope, embeddings, mask *graph.Node) *graph.Node {
	attention := c.attention()
	attention.Causal = true
	if mask != nil {
		attention.Mask = graph.NotEqual(mask, graph.ScalarZero(mask.Graph(), mask.DType()))
	}
	positions := graph.Iota(embeddings.Graph(), shapes.Make(dtypes.Int32, embeddings.Shape().Dimensions[1]), 0)
	hidden := c.decode(scope, embeddings, positions, func(_ int, q, k, v *graph.Node) *graph.Node {
		return nn.Attention(q, k, v, attention)
	}, nil)
	return c.output(scope, hidden)
}

func (c Decoder) attention() nn.AttentionConfig {
	return nn.AttentionConfig{Heads: c.Heads, KeyValueHeads: c.KeyValueHeads}
}

// attend computes a layer's attention from its queries, keys and values.
type attend func(layer int, q, k, v *graph.Node) *graph.Node

// decode returns the normalised hidden states of embeddings at positions [T] or [B, T] of type int32. tap may be nil.
func (c Decoder) decode(scope *model.Scope, x, positions *graph.Node, attention attend, tap Tap) *graph.Node {
	scope = scope.At("model")
	x = nn.Recomputed(scope, x, c.Layers, func(i int, x *graph.Node) *graph.Node {
		layer := scope.At("layers").At("%d", i)
		y := nn.RMSNorm(layer.At("input_layernorm"), x, c.Epsilon)
		y = c.attentionBlock(layer.At("self_attn"), y, positions, func(q, k, v *graph.Node) *graph.Node {
			return attention(i, q, k, v)
		})
		x = graph.Add(x, tap.at(i, AttentionOutput, y))
		y = nn.RMSNorm(layer.At("post_attention_layernorm"), x, c.Epsilon)
		x = graph.Add(x, tap.at(i, PerceptronOutput, c.perceptron(layer.At("mlp"), y)))
		return tap.at(i, HiddenState, x)
	})
	return nn.RMSNorm(scope.At("norm"), x, c.Epsilon)
}

func (c Decoder) attentionBlock(scope *model.Scope, x, positions *graph.Node,
	look func(q, k, v *graph.Node) *graph.Node) *graph.Node {
	batch, length := x.Shape().Dimensions[0], x.Shape().Dimensions[1]
	turned := func(name string, heads int) *graph.Node {
		y := linear(scope.At("%s", name), x, heads*c.HeadWidth, false)
		y = nn.RoPE(graph.Reshape(y, batch, length, heads, c.HeadWidth), positions, c.Theta)
		return graph.Reshape(y, batch, length, heads*c.HeadWidth)
	}
	v := linear(scope.At("v_proj"), x, c.KeyValueHeads*c.HeadWidth, false)
	return linear(scope.At("o_proj"), look(turned("q_proj", c.Heads), turned("k_proj", c.KeyValueHeads), v), c.Width,
		false)
}

// perceptron applies the gated feed-forward network, which is SwiGLU with the activation SiLU.
func (c Decoder) perceptron(scope *model.Scope, x *graph.Node) *graph.Node {
	gate := nn.Activation(c.Activation, linear(scope.At("gate_proj"), x, c.Hidden, false))
	return linear(scope.At("down_proj"), graph.Mul(gate, linear(scope.At("up_proj"), x, c.Hidden, false)), c.Width,
		false)
}

// output returns the logits, computed with the last layer or, if Tied is set, with the token embedding. Those of a
// 16-bit model are float32, because they are compared and summed.
func (c Decoder) output(scope *model.Scope, hidden *graph.Node) *graph.Node {
	layer := scope.At("lm_head")
	if c.Tied {
		layer = scope.At("model").At("embed_tokens")
	}
	return nn.Wide(linear(layer, hidden, c.Vocabulary, false))
}

// LogProbs returns the log-probabilities [B, T-1] of tokens [B, T] without the first, each given the tokens before it,
// from logits [B, T, Vocabulary].
func LogProbs(logits, ids *graph.Node) *graph.Node {
	length, vocabulary := logits.Shape().Dimensions[1], logits.Shape().Dimensions[2]
	next := graph.OneHot(graph.Slice(ids, graph.AxisRange(), graph.AxisRange(1)), vocabulary, logits.DType())
	before := graph.LogSoftmax(graph.Slice(logits, graph.AxisRange(), graph.AxisRange(0, length-1)), -1)
	return graph.ReduceSum(graph.Mul(before, next), -1)
}
