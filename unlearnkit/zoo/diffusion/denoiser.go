package diffusion

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Denoiser predicts noise with a model's weights. It has one compiled program for all timesteps and guidance strengths.
type Denoiser struct {
	model   Model
	dtype   dtypes.DType // type of inputs and outputs
	program *device.Program
}

// NewDenoiser compiles the model whose tensors are below scope. Close it after use.
func NewDenoiser(d *device.Device, scope *model.Scope, m Model) (*Denoiser, error) {
	if err := m.UNet.Check(); err != nil {
		return nil, err
	}
	if m.UNet.In != m.UNet.Out {
		return nil, fmt.Errorf("a UNet from %d channels to %d predicts no noise of its input", m.UNet.In, m.UNet.Out)
	}
	program, err := d.Compile("denoise", scope.Store(), func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{m.guided(scope, in[0], in[1], in[2], in[3])}
	})
	if err != nil {
		return nil, err
	}
	outside := nn.Type(scope)
	if outside.IsHalfPrecision() {
		outside = dtypes.Float32
	}
	return &Denoiser{m, outside, program}, nil
}

// Model returns the denoiser's model.
func (n *Denoiser) Model() Model { return n.model }

// Close frees the compiled program.
func (n *Denoiser) Close() { n.program.Close() }

// guided applies classifier-free guidance (Ho and Salimans): the noise predicted without the prompt, plus strength
// times the difference that the prompt makes. The context holds the hidden states of the empty prompts, followed by
// those of the prompts; both are computed in one batch. A context without empty prompts disables guidance.
func (m Model) guided(scope *model.Scope, sample, timestep, context, strength *graph.Node) *graph.Node {
	batch := sample.Shape().Dimensions[0]
	if context.Shape().Dimensions[0] == batch {
		return m.Noise(scope, sample, timestep, context)
	}
	noise := m.Noise(scope, graph.Concatenate([]*graph.Node{sample, sample}, 0), timestep, context)
	without := graph.Slice(noise, graph.AxisRange(0, batch))
	with := graph.Slice(noise, graph.AxisRange(batch, 2*batch))
	return graph.Add(without, graph.Mul(strength, graph.Sub(with, without)))
}

func (n *Denoiser) noise(ctx context.Context, sample []float64, dimensions []int, timestep int, hidden *tensors.Tensor,
	strength float64) ([]float64, error) {
	outputs, err := n.program.Run(ctx, tensorOf(n.dtype, sample, dimensions...), int32(timestep), hidden,
		tensorOf(n.dtype, []float64{strength}))
	if err != nil {
		return nil, err
	}
	return valuesOf(outputs[0]), nil
}

// tensorOf returns a tensor of type Float32 or Float64.
func tensorOf(t dtypes.DType, values []float64, dimensions ...int) *tensors.Tensor {
	if t == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(append([]float64(nil), values...), dimensions...)
	}
	single := make([]float32, len(values))
	for i, value := range values {
		single[i] = float32(value)
	}
	return tensors.FromFlatDataAndDimensions(single, dimensions...)
}

// valuesOf returns the elements of a tensor of type Float32 or Float64.
func valuesOf(tensor *tensors.Tensor) []float64 {
	if tensor.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](tensor)
	}
	single := tensors.MustCopyFlatData[float32](tensor)
	values := make([]float64, len(single))
	for i, value := range single {
		values[i] = float64(value)
	}
	return values
}
