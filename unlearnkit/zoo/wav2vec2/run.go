package wav2vec2

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Run runs the model at the root of the store on arrays with the names in transformers. It takes input_values [B,
// samples] and optionally attention_mask with the same shape. It returns logits [B, labels] or, without a head,
// last_hidden_state [B, frames, hidden_size].
func (c Config) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := c.checkInputs(inputs); err != nil {
		return nil, err
	}
	arguments := []any{inputs["input_values"]}
	if mask := inputs["attention_mask"]; mask != nil {
		arguments = append(arguments, mask)
	}
	program, err := d.Compile("run "+c.ModelType, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		in := Input{Values: x[0]}
		if len(x) > 1 {
			in.Mask = x[1]
		}
		out := Forward(scope, c, in)
		if out.Logits != nil {
			return []*graph.Node{out.Logits}
		}
		return []*graph.Node{out.Hidden}
	})
	if err != nil {
		return nil, err
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), arguments...)
	if err != nil {
		return nil, err
	}
	if c.NumLabels == 0 {
		return map[string]*tensors.Tensor{"last_hidden_state": outputs[0]}, nil
	}
	return map[string]*tensors.Tensor{"logits": outputs[0]}, nil
}

func (c Config) checkInputs(inputs map[string]*tensors.Tensor) error {
	for name := range inputs {
		if name != "input_values" && name != "attention_mask" {
			return fmt.Errorf("the model has no input %q: it takes input_values and, if wanted, attention_mask", name)
		}
	}
	values, mask := inputs["input_values"], inputs["attention_mask"]
	if values == nil {
		return errors.New("the array input_values [batch, samples] is missing")
	}
	shape := values.Shape()
	if t := shape.DType; shape.Rank() != 2 || t != dtypes.Float32 && t != dtypes.Float64 {
		return fmt.Errorf("input_values is %s, it must be [batch, samples] of float32 or float64", shape)
	}
	if shape.Dimensions[0] == 0 || c.Frames(shape.Dimensions[1]) == 0 {
		return fmt.Errorf("input_values is %s, it must have at least one row and %d samples for the model's first "+
			"frame", shape, c.ReceptiveField())
	}
	if mask == nil {
		return nil
	}
	if !slices.Equal(mask.Shape().Dimensions, shape.Dimensions) {
		return fmt.Errorf("attention_mask is %s, it must have the shape of input_values %s", mask.Shape(), shape)
	}
	return c.checkMask(mask)
}

// checkMask returns an error unless each row has ones followed by zeros, with enough ones for a frame.
func (c Config) checkMask(mask *tensors.Tensor) error {
	var sound []bool
	switch mask.DType() {
	case dtypes.Bool:
		sound = tensors.MustCopyFlatData[bool](mask)
	case dtypes.Int32:
		sound = nonZero(tensors.MustCopyFlatData[int32](mask))
	case dtypes.Int64:
		sound = nonZero(tensors.MustCopyFlatData[int64](mask))
	default:
		return fmt.Errorf("attention_mask is %s, it must be of bool, int32 or int64", mask.Shape())
	}
	samples := mask.Shape().Dimensions[1]
	for row := range mask.Shape().Dimensions[0] {
		marks := sound[row*samples : (row+1)*samples]
		length := slices.Index(append(slices.Clone(marks), false), false)
		if slices.Contains(marks[length:], true) {
			return fmt.Errorf("attention_mask has sound after padding in row %d, padding must come last", row)
		}
		if c.Frames(length) == 0 {
			return fmt.Errorf("attention_mask leaves %d samples in row %d, the model's first frame takes %d", length,
				row, c.ReceptiveField())
		}
	}
	return nil
}

func nonZero[T int32 | int64](values []T) []bool {
	marks := make([]bool, len(values))
	for i, value := range values {
		marks[i] = value != 0
	}
	return marks
}
