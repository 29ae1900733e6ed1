package wav2vec2

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// encode returns the input of the first layer and the output of each layer, and the output of the encoder, which has an
// additional norm if norms come before the parts. valid is nil if all frames are valid.
func encode(scope *model.Scope, c Config, x, valid *graph.Node, noise Noise) (states []*graph.Node, last *graph.Node) {
	if valid != nil {
		x = graph.Where(valid, x, graph.ScalarZero(x.Graph(), x.DType()))
	}
	x = graph.Add(x, positions(scope.At("pos_conv_embed").At("conv"), c, x))
	if !c.DoStableLayerNorm {
		x = nn.LayerNorm(scope.At("layer_norm"), x, c.LayerNormEps)
	}
	x = noise.dropout(siteEncoder, x, c.HiddenDropout)
	states = []*graph.Node{x}
	for i := range c.NumHiddenLayers {
		y := layer(scope.At("layers").At("%d", i), c, i, x, valid, noise)
		x = noise.keep(i, c.LayerDrop, y, x)
		states = append(states, x)
	}
	if c.DoStableLayerNorm {
		x = nn.LayerNorm(scope.At("layer_norm"), x, c.LayerNormEps)
	}
	return states, x
}

func positions(scope *model.Scope, c Config, x *graph.Node) *graph.Node {
	kernel, groups := c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups
	// transformers intends to draw the kernel v from a normal distribution, but writes it to the product g v/‖v‖, which
	// it discards. So v keeps the values of a new PyTorch convolution, and g is their norm. Here, g is the expectation
	// of the norm.
	parts := scope.At("parametrizations").At("weight")
	norm := math.Sqrt(float64(c.HiddenSize) / float64(3*kernel))
	nn.Parameter(parts, x, "original0", nn.Constant(norm), 1, 1, kernel)
	nn.Parameter(parts, x, "original1", nn.Fan(c.HiddenSize/groups*kernel), c.HiddenSize, c.HiddenSize/groups, kernel)
	nn.Parameter(scope, x, "bias", nn.Constant(0), c.HiddenSize)
	return nn.Activation(c.FeatExtractActivation, nn.PositionalConv(scope, x, kernel, groups))
}

// layer applies a transformer layer. Each of its two parts computes x + part(norm(x)) if norms come before the parts,
// and norm(x + part(x)) if they come after.
func layer(scope *model.Scope, c Config, index int, x, valid *graph.Node, noise Noise) *graph.Node {
	part := func(norm string, x *graph.Node, of func(*graph.Node) *graph.Node) *graph.Node {
		normalise := func(x *graph.Node) *graph.Node { return nn.LayerNorm(scope.At("%s", norm), x, c.LayerNormEps) }
		if c.DoStableLayerNorm {
			return graph.Add(x, of(normalise(x)))
		}
		return normalise(graph.Add(x, of(x)))
	}
	x = part("layer_norm", x, func(x *graph.Node) *graph.Node {
		x = attend(scope.At("attention"), c, index, x, valid, noise)
		return noise.dropout(siteOf(index, siteHidden), x, c.HiddenDropout)
	})
	return part("final_layer_norm", x, func(x *graph.Node) *graph.Node {
		x = nn.Activation(c.HiddenAct,
			linear(scope.At("feed_forward").At("intermediate_dense"), c, x, c.IntermediateSize))
		x = noise.dropout(siteOf(index, siteActivation), x, c.ActivationDropout)
		x = linear(scope.At("feed_forward").At("output_dense"), c, x, c.HiddenSize)
		return noise.dropout(siteOf(index, siteOutput), x, c.HiddenDropout)
	})
}

func attend(scope *model.Scope, c Config, index int, x, valid *graph.Node, noise Noise) *graph.Node {
	q := linear(scope.At("q_proj"), c, x, c.HiddenSize)
	k := linear(scope.At("k_proj"), c, x, c.HiddenSize)
	v := linear(scope.At("v_proj"), c, x, c.HiddenSize)
	site := siteOf(index, siteAttention)
	if noise[site] == nil {
		x = nn.Attention(q, k, v, nn.AttentionConfig{Heads: c.NumAttentionHeads, Mask: valid})
	} else {
		x = attendWithDropout(c, q, k, v, valid, func(weights *graph.Node) *graph.Node {
			return noise.dropout(site, weights, c.AttentionDropout)
		})
	}
	return linear(scope.At("out_proj"), c, x, c.HiddenSize)
}

// attendWithDropout is like [nn.Attention], but applies dropout to the weights between the softmax and the values.
func attendWithDropout(c Config, q, k, v, valid *graph.Node, dropout func(*graph.Node) *graph.Node) *graph.Node {
	batch, frames := q.Shape().Dimensions[0], q.Shape().Dimensions[1]
	width := c.HiddenSize / c.NumAttentionHeads
	heads := func(x *graph.Node) *graph.Node {
		return graph.TransposeAllAxes(graph.Reshape(x, batch, frames, c.NumAttentionHeads, width), 0, 2, 1, 3)
	}
	scores := graph.Einsum("bhtd,bhsd->bhts", heads(graph.MulScalar(q, 1/math.Sqrt(float64(width)))), heads(k))
	if valid != nil {
		attended := graph.BroadcastToDims(graph.InsertAxes(valid, 1, 1), scores.Shape().Dimensions...)
		scores = graph.Where(attended, scores, graph.ConstAs(scores, -1e30))
	}
	mixed := graph.Einsum("bhts,bhsd->bhtd", dropout(graph.Softmax(scores, -1)), heads(v))
	return graph.Reshape(graph.TransposeAllAxes(mixed, 0, 2, 1, 3), batch, frames, c.HiddenSize)
}

// linear is nn.Linear with the initial values used in transformers.
func linear(scope *model.Scope, c Config, x *graph.Node, out int) *graph.Node {
	in := x.Shape().Dimensions[x.Rank()-1]
	nn.Parameter(scope, x, "weight", nn.Normal(c.InitializerRange), out, in)
	nn.Parameter(scope, x, "bias", nn.Constant(0), out)
	return nn.Linear(scope, x, out, true)
}

// deviation returns the standard deviation of the normal distribution by He et al. (2015), given a unit's number of
// inputs.
func deviation(inputs int) float64 { return math.Sqrt(2 / float64(inputs)) }

func fromZeroToOne(values []float64, random *rand.Rand) {
	for i := range values {
		values[i] = random.Float64()
	}
}
