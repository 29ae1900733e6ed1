package clip

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// initial holds the initialisers of a block's matrices. New models start like OpenCLIP's, whose two towers differ.
type initial struct{ attention, output, widen, narrow nn.Init }

func (t Tower) textInitial() initial {
	width, layers := float64(t.Width), float64(t.Layers)
	narrowing := nn.Normal(1 / math.Sqrt(width*2*layers))
	return initial{nn.Normal(1 / math.Sqrt(width)), narrowing, nn.Normal(1 / math.Sqrt(2*width)), narrowing}
}

// visionInitial returns PyTorch's initialisers: Xavier's for the stacked matrix of queries, keys and values, and
// [nn.Fan] for the others.
func (t Tower) visionInitial() initial {
	return initial{nn.Uniform(math.Sqrt(6 / float64(4*t.Width))), nn.Fan(t.Width), nn.Fan(t.Width), nn.Fan(t.Hidden)}
}

// linear is nn.Linear with a given initialiser for the weight and, if not nil, for the bias.
func linear(scope *model.Scope, x *graph.Node, out int, weight, bias nn.Init) *graph.Node {
	in := x.Shape().Dimensions[x.Rank()-1]
	nn.Parameter(scope, x, "weight", weight, out, in)
	if bias != nil {
		nn.Parameter(scope, x, "bias", bias, out)
	}
	return nn.Linear(scope, x, out, true)
}

// block applies a residual block, in which each part begins with a layer norm.
func (t Tower) block(scope *model.Scope, x *graph.Node, first initial, mask nn.AttentionConfig) *graph.Node {
	attention := scope.At("self_attn")
	y := nn.LayerNorm(scope.At("layer_norm1"), x, t.Epsilon)
	project := func(name string) *graph.Node {
		return linear(attention.At("%s", name), y, t.Width, first.attention, nn.Constant(0))
	}
	mask.Heads = t.Heads
	y = nn.Attention(project("q_proj"), project("k_proj"), project("v_proj"), mask)
	x = graph.Add(x, linear(attention.At("out_proj"), y, t.Width, first.output, nn.Constant(0)))
	y = nn.LayerNorm(scope.At("layer_norm2"), x, t.Epsilon)
	y = nn.Activation(t.Activation, linear(scope.At("mlp").At("fc1"), y, t.Hidden, first.widen, nil))
	return graph.Add(x, linear(scope.At("mlp").At("fc2"), y, t.Width, first.narrow, nil))
}

// encode returns x and the output of each block.
func (t Tower) encode(scope *model.Scope, x *graph.Node, first initial, mask nn.AttentionConfig) []*graph.Node {
	states := []*graph.Node{x}
	for layer := range t.Layers {
		x = t.block(scope.At("encoder").At("layers").At("%d", layer), x, first, mask)
		states = append(states, x)
	}
	return states
}

// Encode applies the blocks of a vision tower with tensors below scope to embeddings [B, T, Width]. It returns the
// embeddings and the output of each block.
func (t Tower) Encode(scope *model.Scope, embeddings *graph.Node) []*graph.Node {
	return t.encode(scope, embeddings, t.visionInitial(), nn.AttentionConfig{})
}

// Image applies the vision tower with tensors below scope to images [B, Channels, H, W]. The states [B, 1+patches,
// Width] are the embedding and the output of each block, with the class token first. Pooled is the normalised class
// token of the last state. For images of another size, the position embedding is resized.
func Image(scope *model.Scope, c VisionConfig, pixels *graph.Node) (states []*graph.Node, pooled *graph.Node) {
	scope = scope.At("vision_model")
	embeddings := scope.At("embeddings")
	spread := nn.Normal(1 / math.Sqrt(float64(c.Width)))

	patches := nn.Conv(embeddings.At("patch_embedding"), graph.TransposeAllAxes(pixels, 0, 2, 3, 1),
		nn.ConvConfig{Out: c.Width, Kernel: []int{c.Patch, c.Patch}, Stride: []int{c.Patch, c.Patch}})
	size := patches.Shape().Dimensions
	class := nn.Parameter(embeddings, pixels, "class_embedding", spread, c.Width)
	x := graph.Concatenate([]*graph.Node{
		graph.BroadcastToDims(graph.Reshape(class, 1, 1, c.Width), size[0], 1, c.Width),
		graph.Reshape(patches, size[0], -1, c.Width),
	}, 1)
	table := nn.Parameter(embeddings.At("position_embedding"), pixels, "weight", spread, 1+c.side()*c.side(), c.Width)
	x = graph.Add(x, graph.InsertAxes(c.positions(table, size[1], size[2]), 0))

	x = nn.LayerNorm(scope.At("pre_layrnorm"), x, c.Epsilon) // transformers' spelling
	states = c.Encode(scope, x)
	last := graph.Squeeze(graph.Slice(states[c.Layers], graph.AxisRange(), graph.AxisElem(0)), 1)
	return states, nn.LayerNorm(scope.At("post_layernorm"), last, c.Epsilon)
}

// positions resizes the table of position embeddings to a number of patches, like transformers'
// interpolate_pos_encoding.
func (c VisionConfig) positions(table *graph.Node, height, width int) *graph.Node {
	side := c.side()
	if height == side && width == side {
		return table
	}
	grid := graph.Reshape(graph.Slice(table, graph.AxisRange(1)), 1, side, side, c.Width)
	grid = nn.Resize(grid, height, width, nn.Bicubic)
	return graph.Concatenate([]*graph.Node{graph.Slice(table, graph.AxisRange(0, 1)),
		graph.Reshape(grid, height*width, c.Width)}, 0)
}

// Text applies the text tower with tensors below scope to token IDs [B, T] of type int32. The mask [B, T], of any type,
// is 0 for padding; nil means no padding. Last [B, T, Width] is the normalised hidden state to which Stable Diffusion
// attends. Pooled [B, Width] is the state at the end of the text.
func Text(scope *model.Scope, c TextConfig, ids, mask *graph.Node) (last, pooled *graph.Node) {
	scope = scope.At("text_model")
	embeddings := scope.At("embeddings")
	length := ids.Shape().Dimensions[1]
	if length > c.Context {
		panic(fmt.Errorf("the texts have %d tokens, the model takes %d", length, c.Context))
	}
	nn.Parameter(embeddings.At("token_embedding"), ids, "weight", nn.Normal(0.02), c.Vocabulary, c.Width)
	x := nn.Embedding(embeddings.At("token_embedding"), ids, c.Vocabulary, c.Width)
	positions := nn.Parameter(embeddings.At("position_embedding"), ids, "weight", nn.Normal(0.01), c.Context, c.Width)
	x = graph.Add(x, graph.InsertAxes(graph.Slice(positions, graph.AxisRange(0, length)), 0))

	attention := nn.AttentionConfig{Causal: true}
	if mask != nil {
		attention.Mask = graph.NotEqual(mask, graph.ScalarZero(mask.Graph(), mask.DType()))
	}
	states := c.encode(scope, x, c.textInitial(), attention)
	last = nn.LayerNorm(scope.At("final_layer_norm"), states[c.Layers], c.Epsilon)
	return last, c.pool(last, ids)
}

// pool returns the state at the end of each text.
func (c TextConfig) pool(last, ids *graph.Node) *graph.Node {
	length := ids.Shape().Dimensions[1]
	end := graph.ConstAs(ids, c.EndOfText)
	if c.EndOfText == LargestID {
		end = graph.ReduceAndKeep(ids, graph.ReduceMax, -1)
	}
	place := graph.Iota(ids.Graph(), shapes.Make(dtypes.Int32, ids.Shape().Dimensions...), 1)
	none := graph.ConstAs(place, length)
	at := graph.ReduceAndKeep(graph.Where(graph.Equal(ids, end), place, none), graph.ReduceMin, -1)
	// without an end, the first token represents the text, as in transformers
	at = graph.Where(graph.Equal(at, none), graph.ZerosLike(at), at)
	chosen := graph.ConvertDType(graph.Equal(place, at), last.DType())
	return graph.ReduceSum(graph.Mul(last, graph.InsertAxes(chosen, -1)), 1)
}
