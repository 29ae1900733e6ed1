package diffusion

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// SampleOptions holds the options of [Sample].
type SampleOptions struct {
	Plan     schedule.Plan // solver, number of steps, and where to begin and stop
	Guidance float64       // strength of classifier-free guidance; up to 1, only the prompt is used

	Prompt *tensors.Tensor // hidden states of the prompts [n, T, Context]
	Empty  *tensors.Tensor // hidden states of the empty or negative prompt [1 or n, T, Context], needed for guidance

	// Seeds determine each sample's noise, so a sample does not depend on the others.
	Seeds         []uint64
	Noise         func(timestep int) []float64 // returns the noise that a step adds to all samples; nil uses the seeds' noise
	Height, Width int                          // size of the samples; 0 means the model's SampleSize
	Batch         int                          // number of samples in a forward pass; 0 means all

	// Start [n, In, Height, Width] is the sample of an earlier run, from which to begin instead of noise.
	Start []float64
	// State is the state in the [Result] of an interrupted run, which is resumed.
	State *schedule.State

	// Progress, if not nil, is called after each call of the network.
	Progress func(calls, of int)
}

// Result is the result of [Sample].
type Result struct {
	Samples []float64 // [n, In, Height, Width]
	Shape   []int
	State   schedule.State // state for resuming an interrupted run
}

// Sample draws samples, usually latents. If ctx is cancelled, it stops before the next call of the network, and returns
// an error and a result with the state for resuming the run.
func Sample(ctx context.Context, n *Denoiser, o SampleOptions) (Result, error) {
	s, err := newSampler(n, o)
	if err != nil {
		return Result{}, fmt.Errorf("sample: %w", err)
	}
	for calls := len(s.run.Calls()); !s.run.Done(); {
		output, err := s.network(ctx)
		if err != nil {
			return s.result(), fmt.Errorf("sample: %w", err)
		}
		s.run.Step(output, s.noise())
		if o.Progress != nil {
			o.Progress(s.run.Made(), calls)
		}
	}
	return s.result(), nil
}

type sampler struct {
	SampleOptions
	denoiser *Denoiser
	run      *schedule.Run
	context  []*tensors.Tensor // hidden states, a tensor for each batch
	size     int               // number of values in a sample
}

func newSampler(n *Denoiser, o SampleOptions) (*sampler, error) {
	if o.Height == 0 {
		o.Height = n.model.UNet.SampleSize
	}
	if o.Width == 0 {
		o.Width = n.model.UNet.SampleSize
	}
	if o.Height < 1 || o.Width < 1 || len(o.Seeds) == 0 {
		return nil, fmt.Errorf("%d samples of %d×%d; give seeds, and a size if the model has none", len(o.Seeds),
			o.Height, o.Width)
	}
	s := &sampler{SampleOptions: o, denoiser: n, size: n.model.UNet.In * o.Height * o.Width}
	if s.Batch < 1 || s.Batch > len(o.Seeds) {
		s.Batch = len(o.Seeds)
	}
	if err := s.arrangeContext(); err != nil {
		return nil, err
	}
	return s, s.begin()
}

// begin starts or resumes the solver. The solver is configured for noise, which the denoiser predicts no matter what
// its network predicts.
func (s *sampler) begin() error {
	config := s.denoiser.model.Schedule
	config.Prediction = schedule.Epsilon
	process, err := schedule.New(config)
	if err != nil {
		return err
	}
	state := schedule.State{Sample: s.Start}
	switch {
	case s.State != nil:
		state = *s.State
	case s.Start == nil:
		for _, root := range s.Seeds {
			state.Sample = append(state.Sample, normal(root, s.size, "diffusion", "start")...)
		}
	}
	if len(state.Sample) != len(s.Seeds)*s.size {
		return fmt.Errorf("%d numbers to start from for %d samples of %d", len(state.Sample), len(s.Seeds), s.size)
	}
	s.run, err = process.Resume(s.Plan, state)
	return err
}

// arrangeContext concatenates the hidden states for each batch: with guidance, those of the empty prompts come first,
// and those of the prompts follow.
func (s *sampler) arrangeContext() error {
	n := len(s.Seeds)
	if err := s.checkHidden("Prompt", s.Prompt, n); err != nil {
		return err
	}
	words, width := s.Prompt.Shape().Dimensions[1], s.Prompt.Shape().Dimensions[2]
	prompts, empty := valuesOf(s.Prompt), []float64(nil)
	if s.Guidance > 1 {
		if err := s.checkHidden("Empty", s.Empty, n, 1); err != nil {
			return err
		}
		if got := s.Empty.Shape().Dimensions[1]; got != words {
			return fmt.Errorf("the prompts have %d words and the empty ones %d", words, got)
		}
		empty = slices.Repeat(valuesOf(s.Empty), n/s.Empty.Shape().Dimensions[0])
	}
	of := func(values []float64, first, count int) []float64 {
		if values == nil {
			return nil
		}
		return values[first*words*width:][:count*words*width]
	}
	for first := 0; first < n; first += s.Batch {
		count := min(s.Batch, n-first)
		values := slices.Concat(of(empty, first, count), of(prompts, first, count))
		s.context = append(s.context, tensorOf(s.denoiser.dtype, values, len(values)/words/width, words, width))
	}
	return nil
}

// checkHidden checks the shape of hidden states. The number of prompts must be in counts.
func (s *sampler) checkHidden(name string, t *tensors.Tensor, counts ...int) error {
	if t == nil {
		return fmt.Errorf("%s is missing", name)
	}
	width := s.denoiser.model.UNet.Context
	if d := t.Shape().Dimensions; t.DType() != s.denoiser.dtype || len(d) != 3 || d[1] < 1 || d[2] != width ||
		!slices.Contains(counts, d[0]) {
		return fmt.Errorf("%s is %s; it should be (%s)[%d words %d]", name, t.Shape(), s.denoiser.dtype, counts[0],
			width)
	}
	return nil
}

// network calls the denoiser for all samples.
func (s *sampler) network(ctx context.Context) ([]float64, error) {
	var output []float64
	sample := s.run.Sample()
	for i, hidden := range s.context {
		first := i * s.Batch
		count := min(s.Batch, len(s.Seeds)-first)
		part, err := s.denoiser.noise(ctx, sample[first*s.size:][:count*s.size],
			[]int{count, s.denoiser.model.UNet.In, s.Height, s.Width}, s.run.Timestep(), hidden, s.Guidance)
		if err != nil {
			return nil, err
		}
		output = append(output, part...)
	}
	return output, nil
}

// noise returns the noise for the next step. Its random stream is named by the timestep, so it does not depend on where
// a run was interrupted.
func (s *sampler) noise() []float64 {
	if !s.run.Noisy() {
		return nil
	}
	if s.Noise != nil {
		return s.Noise(s.run.Timestep())
	}
	var noise []float64
	for _, root := range s.Seeds {
		noise = append(noise, normal(root, s.size, "diffusion", "step", s.run.Timestep())...)
	}
	return noise
}

func (s *sampler) result() Result {
	return Result{s.run.Sample(), []int{len(s.Seeds), s.denoiser.model.UNet.In, s.Height, s.Width}, s.run.State()}
}

// normal draws count standard normal numbers from the stream with the given root and path.
func normal(root uint64, count int, path ...any) []float64 {
	random := seed.Stream(root, path...)
	values := make([]float64, count)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	return values
}
