package diffusion

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/arrays"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

func (c UNetConfig) build(scope *model.Scope, in []*graph.Node) []*graph.Node {
	return []*graph.Node{UNet(scope, c, in[0], in[1], in[2])}
}

// build returns the mean and the picture decoded from it.
func (c VAEConfig) build(scope *model.Scope, in []*graph.Node) []*graph.Node {
	mean, _ := Encode(scope, c, in[0])
	return []*graph.Node{mean, Decode(scope, c, mean)}
}

// Trace declares all tensors of the UNet in the store, without values.
func (c UNetConfig) Trace(d *device.Device, store *model.Store) error {
	edge, number := 1<<len(c.Levels), nn.Type(store.RootScope())
	_, err := d.Trace("trace the UNet", store, c.build, shapes.Make(number, 1, c.In, edge, edge),
		shapes.Make(dtypes.Int32), shapes.Make(number, 1, 1, c.Context))
	return err
}

// Narrow returns a UNet's tensors in bfloat16, which takes half the memory of float32. Sums of many numbers, in norms
// and attention, and the timestep embedding remain in float32.
func (c UNetConfig) Narrow(d *device.Device, store *model.Store) (*model.Store, error) {
	narrow := model.NewStore()
	nn.SetType(narrow.RootScope(), dtypes.BFloat16)
	if err := c.Trace(d, narrow); err != nil {
		return nil, err
	}
	for variable := range narrow.IterVariables() {
		values, err := tensors.CopyFlatData[float32](store.GetVariable(variable.Path()).MustValue())
		if err != nil {
			return nil, err
		}
		err = variable.SetValue(hf.Narrow(variable.DType(), values, variable.Shape().Dimensions))
		if err != nil {
			return nil, err
		}
	}
	return narrow, nil
}

// Trace declares all tensors of the VAE in the store, without values.
func (c VAEConfig) Trace(d *device.Device, store *model.Store) error {
	edge := 2 * c.Factor()
	_, err := d.Trace("trace the VAE", store, c.build, shapes.Make(nn.Type(store.RootScope()), 1, c.In, edge, edge))
	return err
}

// Run takes sample, timestep (one for each sample or a single number; int32 or float32) and encoder_hidden_states. It
// returns the network's output as sample.
func (c UNetConfig) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	batch := 0
	if sample, ok := inputs["sample"]; ok && sample.Rank() > 0 {
		batch = sample.Shape().Dimensions[0]
	}
	time := arrays.Input{Name: "timestep", Type: dtypes.Int32, Shape: []int{batch}}
	if given, ok := inputs["timestep"]; ok {
		if given.DType() == dtypes.Float32 {
			time.Type = dtypes.Float32
		}
		if given.Rank() < 2 && given.Size() == 1 {
			time.Shape = given.Shape().Dimensions
		}
	}
	err := arrays.Check(inputs,
		arrays.Input{Name: "sample", Type: dtypes.Float32, Shape: []int{0, c.In, 0, 0}}, time,
		arrays.Input{Name: "encoder_hidden_states", Type: dtypes.Float32, Shape: []int{batch, 0, c.Context}})
	if err != nil {
		return nil, err
	}
	outputs, err := run(d, "run the UNet", store, c.build, inputs["sample"], inputs["timestep"],
		inputs["encoder_hidden_states"])
	if err != nil {
		return nil, err
	}
	return map[string]*tensors.Tensor{"sample": outputs[0]}, nil
}

// Run takes pictures with values from -1 to 1 as sample. It returns the mean of their latents as mean, and the pictures
// decoded from it as sample.
func (c VAEConfig) Run(d *device.Device, store *model.Store,
	inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error) {
	if err := arrays.Check(inputs, arrays.Input{Name: "sample", Type: dtypes.Float32,
		Shape: []int{0, c.In, 0, 0}}); err != nil {
		return nil, err
	}
	outputs, err := run(d, "run the VAE", store, c.build, inputs["sample"])
	if err != nil {
		return nil, err
	}
	return map[string]*tensors.Tensor{"mean": outputs[0], "sample": outputs[1]}, nil
}

func run(d *device.Device, stage string, store *model.Store, build device.Build, inputs ...any) ([]*tensors.Tensor,
	error) {
	program, err := d.Compile(stage, store, build)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	return program.Run(context.Background(), inputs...)
}
