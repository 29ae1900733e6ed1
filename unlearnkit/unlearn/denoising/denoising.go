// Package denoising implements the methods of "Unlearning or Concealment?" for models that draw pictures from texts by
// predicting noise.
//
// [NewTask] makes a task from such a model and its texts; [Diffusion] is a model. Your own method is a [Method] with an
// entry and phases.
package denoising

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// The engine's types for this modality.
type (
	Method = unlearn.Method[View]
	Phase  = unlearn.Phase[View]
	Models = unlearn.Models[View]
	Task   = unlearn.Task[View]
	Job    = unlearn.Job[View]
	Drawn  = unlearn.Drawn[View]
)

// Names of the columns of forget streams: token ids, all with the same length.
const (
	Prompt = "prompt" // a text that names the concept
	Empty  = "empty"  // the empty text
	Anchor = "anchor" // the prompt with another concept instead
	Joined = "joined" // text with all concepts; needed only if there are several
)

// Names of the columns that models draw.
const (
	Sample   = "sample"   // [channels, height, width]
	Timestep = "timestep" // timestep of the sample's noise
	Added    = "noise"    // the noise to add to a sample
)

// Model predicts noise. [Diffusion] is a Model.
type Model interface {
	// Noise predicts the noise in samples [n, channels, height, width] at timesteps [n], given the token ids [n,
	// length] of texts. The scope contains everything that methods may train, including the text encoder.
	Noise(scope *model.Scope, sample, timestep, ids *graph.Node) *graph.Node
	// Noisy adds noise to originals, at the noise levels of their timesteps.
	Noisy(original, noise, timestep *graph.Node) *graph.Node
	// NoiseError returns the error of predicted noise, a scalar: the mean squared difference, or a variant for the kind
	// of model.
	NoiseError(predicted, wanted, timestep *graph.Node) *graph.Node
	// Sampler prepares the model below scope for drawing, with its current values.
	Sampler(scope *model.Scope) (Sampler, error)
}

// Sampler draws samples from a model.
type Sampler interface {
	Shape() []int    // shape of a sample: channels, height, width
	TrainSteps() int // the number of timesteps
	// Draw returns float32 samples [n, channels, height, width], where n is the total number of stops. If ctx is
	// cancelled, it ends within one call of the network.
	Draw(ctx context.Context, s Sampling) (*tensors.Tensor, error)
	Close()
}

// Sampling describes what a [Sampler] draws: samples for texts, by DDIM without added noise.
type Sampling struct {
	Prompts, Empty *tensors.Tensor // token ids, one row per sample
	Guidance       float64         // the strength of classifier-free guidance
	Steps          int             // number of steps from noise to the picture
	Seeds          []uint64        // seeds of the samples' noise
	// Stops are, for each sample, the numbers of steps after which to keep it, in ascending order: 0 is the noise
	// itself, Steps the picture.
	Stops [][]int
}

// NewTask returns the task of a model with the given streams.
func NewTask(m Model, streams unlearn.Streams) Task {
	return Task{Streams: streams, View: func(w unlearn.Weights) View { return View{m, w} }}
}

// View is a model as losses use it. The output of a frozen model has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Noise predicts the noise in samples [n, channels, height, width] at timesteps [n], given the token ids [n, length] of
// texts.
func (v View) Noise(sample, timestep, ids *graph.Node) *graph.Node {
	return v.weights.Output(v.model.Noise(v.weights.Scope(), sample, timestep, ids))
}

// Noisy adds noise to originals, at the noise levels of their timesteps.
func (v View) Noisy(original, noise, timestep *graph.Node) *graph.Node {
	return v.model.Noisy(original, noise, timestep)
}

// NoiseError returns the error of predicted noise, a scalar.
func (v View) NoiseError(predicted, wanted, timestep *graph.Node) *graph.Node {
	return v.model.NoiseError(predicted, wanted, timestep)
}

// drawer draws the rows of a stream with a sampler.
type drawer struct {
	Sampler
	draw func(ctx context.Context, s Sampler, root uint64, pass int) ([]*tensors.Tensor, error)
}

// Draw implements [unlearn.Drawer].
func (d drawer) Draw(ctx context.Context, root uint64, pass int) ([]*tensors.Tensor, error) {
	return d.draw(ctx, d.Sampler, root, pass)
}

// openWith returns a function that opens a model for drawing rows with draw.
func openWith(draw func(ctx context.Context, s Sampler, root uint64, pass int) ([]*tensors.Tensor,
	error)) func(View) (unlearn.Drawer, error) {
	return func(v View) (unlearn.Drawer, error) {
		s, err := v.model.Sampler(v.weights.Scope())
		if err != nil {
			return nil, err
		}
		return drawer{s, draw}, nil
	}
}
