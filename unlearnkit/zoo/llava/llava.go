package llava

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Expand repeats the placeholder in a prompt for each token of the image, which the functions in this package that
// build graphs require. It returns prompts without an image, and expanded prompts, unchanged.
func (c Config) Expand(prompt []int32) ([]int32, error) {
	first := slices.Index(prompt, c.Placeholder)
	count := 0
	for _, id := range prompt {
		if id == c.Placeholder {
			count++
		}
	}
	tokens := c.ImageTokens()
	switch {
	case count == 0:
		return prompt, nil
	case count == tokens && !slices.ContainsFunc(prompt[first:first+count], func(id int32) bool {
		return id != c.Placeholder
	}):
		return prompt, nil
	case count > 1:
		return nil, fmt.Errorf("the prompt has the image's placeholder %d at %d places; it takes one, or the %d in a "+
			"row that an image has", c.Placeholder, count, tokens)
	}
	return slices.Concat(prompt[:first], slices.Repeat([]int32{c.Placeholder}, tokens), prompt[first+1:]), nil
}

// Image returns the decoder's input [B, ImageTokens, Width] for images [B, 3, H, W], which may have another type than
// the model.
func Image(scope *model.Scope, c Config, pixels *graph.Node) *graph.Node {
	pixels = graph.ConvertDType(pixels, nn.Type(scope))
	seen := clip.HiddenImage(scope.At("vision_tower"), c.Vision, pixels, c.Layer)
	if !c.Class {
		seen = graph.Slice(seen, graph.AxisRange(), graph.AxisRange(1))
	}
	projector := scope.At("multi_modal_projector")
	x := nn.Activation(c.Activation, linear(projector.At("linear_1"), seen, c.Text.Width, c.Bias))
	return linear(projector.At("linear_2"), x, c.Text.Width, c.Bias)
}

// Embed returns the embeddings [B, T, Width] of expanded prompts [B, T] of type int32, with images in place of the
// placeholders. A prompt's placeholders must be consecutive, but a prompt may have none, and their position may differ
// between prompts.
func Embed(scope *model.Scope, c Config, pixels, ids *graph.Node) *graph.Node {
	words := c.Text.Embed(scope.At("language_model"), ids)
	images := Image(scope, c, pixels)
	batch, length, tokens := ids.Shape().Dimensions[0], ids.Shape().Dimensions[1], images.Shape().Dimensions[1]

	held := graph.Equal(ids, graph.ConstAs(ids, c.Placeholder))
	place := graph.Iota(ids.Graph(), shapes.Make(dtypes.Int32, batch, length), 1)
	first := graph.ReduceAndKeep(graph.Where(held, place, graph.ConstAs(place, length)), graph.ReduceMin, -1)
	within := graph.ClipScalar(graph.Sub(place, first), 0, float64(tokens-1))
	row := graph.MulScalar(graph.Iota(ids.Graph(), shapes.Make(dtypes.Int32, batch, length), 0), tokens)
	flat := graph.Reshape(images, batch*tokens, c.Text.Width)
	patches := graph.Gather(flat, graph.InsertAxes(graph.Add(row, within), -1))
	return graph.Where(graph.BroadcastToShape(graph.InsertAxes(held, -1),
		shapes.Make(dtypes.Bool, words.Shape().Dimensions...)), patches, words)
}

// Logits returns the logits [B, T, Vocabulary] of the next token at each place for images [B, 3, H, W] and expanded
// prompts [B, T] of type int32. The mask is as for [Decoder.Logits].
func Logits(scope *model.Scope, c Config, pixels, ids, mask *graph.Node) *graph.Node {
	return c.Text.Logits(scope.At("language_model"), Embed(scope, c, pixels, ids), mask)
}
