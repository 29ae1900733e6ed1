package llava

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/arrays"
)

// build applies the model to images, expanded prompts and, if there is a third input, their mask.
func (c Config) build(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{Logits(scope, c, inputs[0], inputs[1], optional(inputs[2:]))}
}

func (c Decoder) build(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Logits(scope, c.Embed(scope, inputs[0]), optional(inputs[1:]))}
}

func optional(inputs []*graph.Node) *graph.Node {
	if len(inputs) == 0 {
		return nil
	}
	return inputs[0]
}

// Trace declares all tensors of the model in the store, without values.
func (c Config) Trace(d *device.Device, store *model.Store) error {
	pixels := shapes.Make(dtypes.Float32, 1, c.Vision.Channels, c.Vision.Image, c.Vision.Image)
	_, err := d.Trace("trace LLaVA", store, c.build, pixels, shapes.Make(dtypes.Int32, 1, c.ImageTokens()))
	return err
}

// Trace declares all tensors of the decoder in the store, without values.
func (c Decoder) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace the decoder", store, c.build, shapes.Make(dtypes.Int32, 1, 2))
	return err
}

// Run takes pixel_values, input_ids and optionally attention_mask, and returns the logits at all positions. Each row of
// input_ids has one placeholder for the image, which Run expands, or one for each token of the image.
func (c Config) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	wanted := append(c.Text.inputs(inputs),
		arrays.Input{Name: "pixel_values", Type: dtypes.Float32,
			Shape: []int{0, c.Vision.Channels, c.Vision.Image, c.Vision.Image}})
	if ids, ok := inputs["input_ids"]; ok && ids.Rank() == 2 {
		wanted[2].Shape[0] = ids.Shape().Dimensions[0]
	}
	if err := arrays.Check(inputs, wanted...); err != nil {
		return nil, err
	}
	expanded, err := c.expand(inputs["input_ids"], inputs["attention_mask"])
	if err != nil {
		return nil, err
	}
	return run(d, "run LLaVA", store, c.build, append([]any{inputs["pixel_values"]}, expanded...))
}

// Run takes input_ids and optionally attention_mask, and returns logits.
func (c Decoder) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := arrays.Check(inputs, c.inputs(inputs)...); err != nil {
		return nil, err
	}
	ordered := []any{inputs["input_ids"]}
	if mask, ok := inputs["attention_mask"]; ok {
		ordered = append(ordered, mask)
	}
	return run(d, "run the decoder", store, c.build, ordered)
}

// inputs describes the token IDs, and a mask with the same shape.
func (c Decoder) inputs(given map[string]*tensors.Tensor) []arrays.Input {
	mask := []int{0, 0}
	if ids, ok := given["input_ids"]; ok && ids.Rank() == 2 {
		mask = slices.Clone(ids.Shape().Dimensions)
	}
	return []arrays.Input{
		{Name: "input_ids", Type: dtypes.Int32, Shape: []int{0, 0}, Below: int32(c.Vocabulary)},
		{Name: "attention_mask", Type: dtypes.Int32, Shape: mask, Optional: true},
	}
}

// expand expands each row of token IDs, and of the mask if there is one. All rows must have an image, so that their
// lengths remain equal.
func (c Config) expand(ids, mask *tensors.Tensor) ([]any, error) {
	batch, length := ids.Shape().Dimensions[0], ids.Shape().Dimensions[1]
	all := tensors.MustCopyFlatData[int32](ids)
	var rows, masks []int32
	width := 0
	for i := range batch {
		row := all[i*length : (i+1)*length]
		expanded, err := c.Expand(row)
		if err == nil && slices.Index(row, c.Placeholder) < 0 {
			err = fmt.Errorf("the prompt has no placeholder %d for its image", c.Placeholder)
		}
		if err == nil && i > 0 && len(expanded) != width {
			err = fmt.Errorf("some prompts have their image expanded and others do not")
		}
		if err != nil {
			return nil, fmt.Errorf("row %d of input_ids: %w", i, err)
		}
		rows, width = append(rows, expanded...), len(expanded)
		if mask != nil {
			marks := tensors.MustCopyFlatData[int32](mask)[i*length : (i+1)*length]
			first := slices.Index(row, c.Placeholder)
			masks = append(masks, slices.Concat(marks[:first],
				slices.Repeat(marks[first:first+1], len(expanded)-length), marks[first:])...)
		}
	}
	inputs := []any{tensors.FromFlatDataAndDimensions(rows, batch, width)}
	if mask != nil {
		inputs = append(inputs, tensors.FromFlatDataAndDimensions(masks, batch, width))
	}
	return inputs, nil
}

func run(d *device.Device, stage string, store *model.Store, build device.Build,
	inputs []any) (map[string]*tensors.Tensor, error) {
	program, err := d.Compile(stage, store, build)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), inputs...)
	if err != nil {
		return nil, err
	}
	return map[string]*tensors.Tensor{"logits": outputs[0]}, nil
}
