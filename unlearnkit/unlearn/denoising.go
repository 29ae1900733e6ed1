package unlearn

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Names of the columns of denoising tasks' forget streams: token ids, all of one length.
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

// Denoising is a task of models that draw pictures of texts by predicting noise. [Diffusion] is one.
type Denoising interface {
	Task
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
