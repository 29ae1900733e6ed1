package resnet

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

// Run evaluates the model at the root of the store. It takes pixel_values [B, 3, H, W], and returns logits [B, classes]
// and features [B, FeatureWidth].
func (c Config) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	images := inputs["pixel_values"]
	if images == nil {
		return nil, errors.New("the array pixel_values [batch, 3, height, width] is missing")
	}
	if len(inputs) > 1 {
		return nil, errors.New("the model has one input, pixel_values: leave the other arrays out")
	}
	shape := images.Shape()
	if t := shape.DType; shape.Rank() != 4 || shape.Dimensions[1] != 3 || slices.Contains(shape.Dimensions, 0) ||
		t != dtypes.Float32 && t != dtypes.Float64 {
		return nil, fmt.Errorf("pixel_values is %s, it must be [batch, 3, height, width] of float32 or float64, and "+
			"not empty", shape)
	}
	program, err := d.Compile("run resnet", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		out := Forward(scope, c, x[0], Mode{})
		return []*graph.Node{out.Logits, out.Features}
	})
	if err != nil {
		return nil, err
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), images)
	if err != nil {
		return nil, err
	}
	return map[string]*tensors.Tensor{"logits": outputs[0], "features": outputs[1]}, nil
}
