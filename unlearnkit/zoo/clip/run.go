package clip

import (
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/arrays"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// transformers is the layout with the same names as here.
var transformers = hf.Layout{Name: "transformers"}

// Names returns the tensor names of transformers' CLIPModel and of OpenCLIP.
func (c Config) Names() hf.Names {
	return hf.Names{Layouts: []hf.Layout{transformers, openCLIP}, Ignore: []string{"attn_mask"}}
}

// Names returns the tensor names of transformers' CLIPTextModel, which newer releases write without a prefix. Other
// tensors of a whole CLIPModel are ignored.
func (c TextConfig) Names() hf.Names {
	return hf.Names{
		Layouts: []hf.Layout{transformers, {Name: "transformers 5", Rules: []hf.Rule{{Own: "text_model."}}}},
		Ignore:  []string{"vision_model.*", "*_projection.weight", "logit_scale"},
	}
}

// Names returns the tensor names of transformers' CLIPVisionModel, which newer releases write without a prefix. Other
// tensors of a whole CLIPModel are ignored.
func (c VisionConfig) Names() hf.Names {
	return hf.Names{
		Layouts: []hf.Layout{transformers, {Name: "transformers 5", Rules: []hf.Rule{{Own: "vision_model."}}}},
		Ignore:  []string{"text_model.*", "*_projection.weight", "logit_scale"},
	}
}

// build applies the whole model to images, texts and, if there is a third input, the mask of the texts.
func (c Config) build(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	images, texts := EncodeImage(scope, c, inputs[0]), EncodeText(scope, c, inputs[1], optional(inputs[2:]))
	return []*graph.Node{images, texts, Logits(scope, images, texts)}
}

func (c TextConfig) build(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	last, pooled := Text(scope, c, inputs[0], optional(inputs[1:]))
	return []*graph.Node{last, pooled}
}

func (c VisionConfig) build(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	states, pooled := Image(scope, c, inputs[0])
	return []*graph.Node{states[c.Layers], pooled}
}

func optional(inputs []*graph.Node) *graph.Node {
	if len(inputs) == 0 {
		return nil
	}
	return inputs[0]
}

// Trace declares all tensors of the model in the store, without values.
func (c Config) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace CLIP", store, c.build, append(c.Vision.traceInputs(), c.Text.traceInputs()...)...)
	return err
}

// Trace declares all tensors of the tower in the store, without values.
func (c TextConfig) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace the text tower", store, c.build, c.traceInputs()...)
	return err
}

// Trace declares all tensors of the tower in the store, without values.
func (c VisionConfig) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace the vision tower", store, c.build, c.traceInputs()...)
	return err
}

func (c TextConfig) traceInputs() []shapes.Shape {
	return []shapes.Shape{shapes.Make(dtypes.Int32, 1, c.Context)}
}

func (c VisionConfig) traceInputs() []shapes.Shape {
	return []shapes.Shape{shapes.Make(dtypes.Float32, 1, c.Channels, c.Image, c.Image)}
}

// Run takes pixel_values, input_ids and optionally attention_mask, and returns image_embeds, text_embeds and
// logits_per_image.
func (c Config) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := arrays.Check(inputs, append(c.Vision.inputs(), c.Text.inputs(inputs)...)...); err != nil {
		return nil, err
	}
	return run(d, "run CLIP", store, c.build, inputs, []string{"pixel_values", "input_ids", "attention_mask"},
		"image_embeds", "text_embeds", "logits_per_image")
}

// Run takes input_ids and optionally attention_mask, and returns last_hidden_state and pooler_output.
func (c TextConfig) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := arrays.Check(inputs, c.inputs(inputs)...); err != nil {
		return nil, err
	}
	return run(d, "run the text tower", store, c.build, inputs, []string{"input_ids", "attention_mask"},
		"last_hidden_state", "pooler_output")
}

// Run takes pixel_values and returns last_hidden_state and pooler_output.
func (c VisionConfig) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := arrays.Check(inputs, c.inputs()...); err != nil {
		return nil, err
	}
	return run(d, "run the vision tower", store, c.build, inputs, []string{"pixel_values"}, "last_hidden_state",
		"pooler_output")
}

func (c VisionConfig) inputs() []arrays.Input {
	return []arrays.Input{{Name: "pixel_values", Type: dtypes.Float32, Shape: []int{0, c.Channels, c.Image, c.Image}}}
}

// inputs describes the token IDs, and a mask with the same shape.
func (c TextConfig) inputs(given map[string]*tensors.Tensor) []arrays.Input {
	ids := arrays.Input{Name: "input_ids", Type: dtypes.Int32, Shape: []int{0, 0}, Below: int32(c.Vocabulary)}
	mask := arrays.Input{Name: "attention_mask", Type: dtypes.Int32, Shape: []int{0, 0}, Optional: true}
	if tensor, ok := given["input_ids"]; ok && tensor.Rank() == 2 {
		mask.Shape = slices.Clone(tensor.Shape().Dimensions)
		if mask.Shape[1] > c.Context {
			ids.Shape[1] = c.Context
		}
	}
	return []arrays.Input{ids, mask}
}

// run passes the inputs that exist to build, in a given order, and returns its outputs by name.
func run(d *device.Device, stage string, store *model.Store, build device.Build, inputs map[string]*tensors.Tensor,
	order []string, names ...string) (map[string]*tensors.Tensor, error) {
	program, err := d.Compile(stage, store, build)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	var given []any
	for _, name := range order {
		if tensor, ok := inputs[name]; ok {
			given = append(given, tensor)
		}
	}
	results, err := program.Run(context.Background(), given...)
	if err != nil {
		return nil, err
	}
	outputs := map[string]*tensors.Tensor{}
	for i, name := range names {
		outputs[name] = results[i]
	}
	return outputs, nil
}
