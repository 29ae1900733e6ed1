package denoising

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Scopes of a diffusion model's parts, named like diffusers' folders.
const (
	unetPart = "unet"
	textPart = "text_encoder"
)

// Diffusion is a diffusion model with its UNet below "unet" and its text encoder below "text_encoder".
type Diffusion struct {
	Device *device.Device
	Model  diffusion.Model
	// Text returns the hidden states [n, length, context] of token ids. It must not stop gradients if the embedding is
	// trained.
	Text  func(scope *model.Scope, ids *graph.Node) *graph.Node
	Batch int // samples drawn at once; all if 0
}

var _ Model = Diffusion{}

// Noise implements [Model].
func (d Diffusion) Noise(scope *model.Scope, sample, timestep, ids *graph.Node) *graph.Node {
	return d.Model.Noise(scope.At(unetPart), sample, timestep, d.Text(scope.At(textPart), ids))
}

// Noisy implements [Model].
func (d Diffusion) Noisy(original, noise, timestep *graph.Node) *graph.Node {
	return d.Model.Noisy(original, noise, timestep)
}

// NoiseError returns the mean squared difference. If the network predicts the original, the error of the derived noise
// is √a/√(1-a) times as large. At the clean end this is a factor of thirty, which would drown all other timesteps, so
// each square is weighted with min(1, (1-a)/a).
func (d Diffusion) NoiseError(predicted, wanted, timestep *graph.Node) *graph.Node {
	squares := graph.Square(graph.Sub(predicted, wanted))
	if d.Model.Schedule.Prediction == schedule.Original {
		one := graph.OnesLike(graph.ReduceAndKeep(squares, graph.ReduceMean, 1, 2, 3))
		signal, rest := d.Noisy(one, graph.ZerosLike(one), timestep), d.Noisy(graph.ZerosLike(one), one, timestep)
		squares = graph.Mul(squares, graph.MinScalar(graph.Square(graph.Div(rest, signal)), 1))
	}
	return graph.ReduceAllMean(squares)
}

// Sampler implements [Model].
func (d Diffusion) Sampler(scope *model.Scope) (Sampler, error) {
	texts, err := d.Device.Compile("encode prompts", scope.Store(),
		func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
			return []*graph.Node{d.Text(scope.At(textPart), inputs[0])}
		})
	if err != nil {
		return nil, err
	}
	denoiser, err := diffusion.NewDenoiser(d.Device, scope.At(unetPart), d.Model)
	if err != nil {
		texts.Close()
		return nil, err
	}
	return &sampler{d, texts, denoiser}, nil
}

type sampler struct {
	of       Diffusion
	texts    *device.Program
	denoiser *diffusion.Denoiser
}

func (s *sampler) Close() {
	s.texts.Close()
	s.denoiser.Close()
}

func (s *sampler) TrainSteps() int { return s.of.Model.Schedule.TrainSteps }

func (s *sampler) Shape() []int {
	unet := s.of.Model.UNet
	return []int{unet.In, unet.SampleSize, unet.SampleSize}
}

func (s *sampler) Draw(ctx context.Context, o Sampling) (*tensors.Tensor, error) {
	process, err := schedule.New(s.of.Model.Schedule)
	if err != nil {
		return nil, err
	}
	timesteps, err := process.Timesteps(o.Steps)
	if err != nil {
		return nil, err
	}
	options := diffusion.SampleOptions{Guidance: o.Guidance, Seeds: o.Seeds, Batch: s.of.Batch}
	if options.Prompt, err = s.encode(ctx, o.Prompts); err != nil {
		return nil, err
	}
	if options.Empty, err = s.encode(ctx, o.Empty); err != nil {
		return nil, err
	}
	at := map[int][]float64{} // samples by their number of finished steps
	done := 0
	for _, stop := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.Stops...)))) {
		options.Plan = schedule.Plan{Solver: schedule.DDIM, Steps: o.Steps, AtLeast: math.MaxInt}
		if stop > 0 {
			options.Plan.AtLeast = timesteps[stop-1]
		}
		if done > 0 {
			options.Plan.Below = timesteps[done-1]
		}
		result, err := diffusion.Sample(ctx, s.denoiser, options)
		if err != nil {
			return nil, err
		}
		at[stop], options.Start, done = result.Samples, result.Samples, stop
	}
	return s.gather(at, o.Stops)
}

func (s *sampler) encode(ctx context.Context, ids *tensors.Tensor) (*tensors.Tensor, error) {
	outputs, err := s.texts.Run(ctx, ids)
	if err != nil {
		return nil, err
	}
	return outputs[0], nil
}

// gather concatenates the samples at their stops.
func (s *sampler) gather(at map[int][]float64, stops [][]int) (*tensors.Tensor, error) {
	var values []float32
	count, shape := 0, s.Shape()
	size := shape[0] * shape[1] * shape[2]
	for i, own := range stops {
		for _, stop := range own {
			for _, value := range at[stop][i*size : (i+1)*size] {
				values = append(values, float32(value))
			}
			count++
		}
	}
	if count == 0 {
		return nil, fmt.Errorf("%d samples without a stop", len(stops))
	}
	return tensors.FromFlatDataAndDimensions(values, append([]int{count}, shape...)...), nil
}
