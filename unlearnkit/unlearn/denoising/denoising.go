// Package denoising has the methods of unlearning for models that draw pictures of texts by predicting noise: those of
// "Unlearning or Concealment?".
//
// A task is made of such a model and its texts by [NewTask]; [Diffusion] is a model. A method of one's own is a
// [Method] with an entry and phases.
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

// Names of the columns of forget streams: token ids, all of one length.
const (
	Prompt = "prompt" // a text that names the concept
	Empty  = "empty"  // the empty text
	Anchor = "anchor" // the prompt with something else in place of the concept
	Joined = "joined" // all concepts in one text; needed only where there are several
)

// Names of the columns of what models draw.
const (
	Sample   = "sample"   // [channels, height, width]
	Timestep = "timestep" // of the sample's noise
	Added    = "noise"    // what is to be added to a sample
)

// Model predicts noise. [Diffusion] is one.
type Model interface {
	// Noise predicts the noise in samples [n, channels, height, width] at timesteps [n], given texts by their token ids
	// [n, length]. The encoder of texts is within the scope, as all that methods may train.
	Noise(scope *model.Scope, sample, timestep, ids *graph.Node) *graph.Node
	// Noisy gives originals with noise of the strength that their timesteps have.
	Noisy(original, noise, timestep *graph.Node) *graph.Node
	// NoiseError is the error of predictions of noise, a scalar: the mean of their squared differences, or what the
	// kind of model makes of it.
	NoiseError(predicted, wanted, timestep *graph.Node) *graph.Node
	// Sampler prepares the model below scope for drawing, with the values that it will have by then.
	Sampler(scope *model.Scope) (Sampler, error)
}

// Sampler draws with a model.
type Sampler interface {
	Shape() []int    // of a sample: channels, height, width
	TrainSteps() int // the number of timesteps
	// Draw returns float32 samples [n, channels, height, width], n the number of all stops. It ends within a call of
	// the network when ctx does.
	Draw(ctx context.Context, s Sampling) (*tensors.Tensor, error)
	Close()
}

// Sampling says what a [Sampler] draws: samples of texts, by DDIM without added noise.
type Sampling struct {
	Prompts, Empty *tensors.Tensor // token ids, a row for each sample
	Guidance       float64         // the strength of classifier-free guidance
	Steps          int             // from noise to the picture
	Seeds          []uint64        // of the samples' noise
	// Stops are, for each sample, rising numbers of steps after which it is kept: 0 is the noise itself, Steps the
	// picture.
	Stops [][]int
}

// NewTask is a model with what it is to forget.
func NewTask(m Model, streams unlearn.Streams) Task {
	return Task{Streams: streams, View: func(w unlearn.Weights) View { return View{m, w} }}
}

// View is a model as losses see it. What a frozen model returns has no gradient.
type View struct {
	model   Model
	weights unlearn.Weights
}

// Noise predicts the noise in samples [n, channels, height, width] at timesteps [n], given texts by their token ids [n,
// length].
func (v View) Noise(sample, timestep, ids *graph.Node) *graph.Node {
	return v.weights.Output(v.model.Noise(v.weights.Scope(), sample, timestep, ids))
}

// Noisy gives originals with noise of the strength that their timesteps have.
func (v View) Noisy(original, noise, timestep *graph.Node) *graph.Node {
	return v.model.Noisy(original, noise, timestep)
}

// NoiseError is the error of predictions of noise, a scalar.
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

// with opens a model for drawing rows by a function.
func with(draw func(ctx context.Context, s Sampler, root uint64, pass int) ([]*tensors.Tensor,
	error)) func(View) (unlearn.Drawer, error) {
	return func(v View) (unlearn.Drawer, error) {
		s, err := v.model.Sampler(v.weights.Scope())
		if err != nil {
			return nil, err
		}
		return drawer{s, draw}, nil
	}
}
