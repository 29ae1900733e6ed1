// Package partialdiffusion is the attack of "Unlearning or Concealment?" (Algorithm 1) on diffusion models. The
// original model does the first share ψ of the denoising steps, and the unlearned model does the rest. If a small ψ
// makes the concept appear, the concept was concealed and not unlearned.
//
// The original's steps are run once for all ψ ([Begin]), and any number of models complete them ([Prefixes.Complete]):
// the unlearned models and a gold model, trained without the concept. Gold is the control without which the curves
// cannot be interpreted. [Attack] draws all pictures and judges them.
//
// The noise that a step adds depends on the sample's seed and the step's timestep, so that a completion is the same at
// every hand-over. At ψ = 0 it equals the other model's own picture bit for bit, and at ψ = 1 the original's.
package partialdiffusion

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Rule converts a ratio to a number of steps.
type Rule string

const (
	// FloorRule is Algorithm 1's ⌊ψ·steps⌋, computed on the decimal number as written.
	FloorRule Rule = ""
	// PublishedRule follows the paper's code: the original does the timesteps from round(1000 − 1000ψ) up. At 100 steps
	// it differs for ψ = .089, with 9 steps instead of 8.
	PublishedRule Rule = "published"
)

// Settings configures how both models draw.
type Settings struct {
	Psi  []Ratio // ratios in increasing order
	Rule Rule

	Solver   schedule.Solver // DDIM, or PNDM with a schedule that skips Runge-Kutta steps: PLMS
	Steps    int
	Eta      float64          // DDIM: the fraction of DDPM's noise that each step adds, 0 to 1
	Restart  schedule.Restart // rule by which PLMS continues after a hand-over: repaired, or as published
	Guidance float64

	Seeds         []uint64
	Batch         int // samples in one forward pass; all if zero
	Height, Width int // size of the latents; the original's own size if zero
}

// Model is a model that draws. Its prompts are encoded by its own text encoder: [1, T, Context] for all samples, or one
// for each seed.
type Model struct {
	Name          string
	Denoiser      *diffusion.Denoiser
	Prompt, Empty *tensors.Tensor
}

// Stage describes a hand-over.
type Stage struct {
	Psi           Ratio
	Steps         int     // steps of the original
	Timestep      int     // first timestep of the other model; -1 if none is left
	SignalShare   float64 // share of signal in the latent that is handed over
	Before, After schedule.Plan
	// CallsBefore and CallsAfter count the calls of each network per sample.
	CallsBefore, CallsAfter int
}

// Stages returns the hand-overs of all ratios under a noise schedule.
func (s Settings) Stages(config schedule.Config) ([]Stage, error) {
	config.Prediction = schedule.Epsilon // denoisers predict noise
	process, err := schedule.New(config)
	if err != nil {
		return nil, err
	}
	timesteps, err := process.Timesteps(s.Steps)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	var stages []Stage
	for _, psi := range s.Psi {
		stage, err := s.stage(process, timesteps, psi)
		if err != nil {
			return nil, err
		}
		stages = append(stages, stage)
	}
	return stages, nil
}

func (s Settings) check() error {
	switch {
	case len(s.Psi) == 0:
		return fmt.Errorf("no ψ to hand over at; give some from 0 to 1")
	case len(s.Seeds) == 0:
		return fmt.Errorf("0 seeds; give one for each sample to draw")
	case s.Rule != FloorRule && s.Rule != PublishedRule:
		return fmt.Errorf("rule %q is not known: %q or %q", s.Rule, FloorRule, PublishedRule)
	case s.Solver != schedule.DDIM && s.Solver != schedule.PNDM:
		return fmt.Errorf("solver %q does not hand over: %s or %s (PLMS)", s.Solver, schedule.DDIM, schedule.PNDM)
	}
	for i := range s.Psi[1:] {
		if s.Psi[i].exact().Cmp(s.Psi[i+1].exact()) >= 0 {
			return fmt.Errorf("ψ %s comes before %s; give different ones in growing order", s.Psi[i], s.Psi[i+1])
		}
	}
	if seeds := slices.Sorted(slices.Values(s.Seeds)); len(slices.Compact(seeds)) < len(s.Seeds) {
		return fmt.Errorf("a seed is given twice; its two samples would be the same")
	}
	return nil
}

func (s Settings) stage(process *schedule.Process, timesteps []int, psi Ratio) (Stage, error) {
	plan := schedule.Plan{Solver: s.Solver, Steps: s.Steps, Eta: s.Eta, Restart: s.Restart}
	stage := Stage{Psi: psi, Steps: psi.Of(s.Steps), Timestep: -1, Before: plan, After: plan}
	if s.Rule == PublishedRule {
		cut := process.Cut(psi.Float())
		stage.Steps = len(slices.DeleteFunc(slices.Clone(timesteps), func(t int) bool { return t < cut }))
	}
	if stage.Steps < s.Steps {
		stage.Timestep = timesteps[stage.Steps]
		stage.Before.AtLeast = stage.Timestep + 1
	}
	if stage.Steps > 0 {
		stage.After.Below = stage.Timestep + 1 // 0, if no step is left, is not used
	}
	stage.SignalShare = process.SignalShare(stage.Timestep)
	before, err := process.Begin(stage.Before, nil)
	if err != nil {
		return Stage{}, err
	}
	stage.CallsBefore = len(before.Calls())
	if stage.Timestep >= 0 {
		after, err := process.Begin(stage.After, nil)
		if err != nil {
			return Stage{}, err
		}
		stage.CallsAfter = len(after.Calls())
	}
	return stage, nil
}

// options returns the options with which a model draws its part of a stage.
func (s Settings) options(m Model, plan schedule.Plan) diffusion.SampleOptions {
	return diffusion.SampleOptions{
		Plan: plan, Guidance: s.Guidance, Prompt: repeatPrompt(m.Prompt, len(s.Seeds)), Empty: m.Empty, Seeds: s.Seeds,
		Height: s.Height, Width: s.Width, Batch: s.Batch,
	}
}

// repeatPrompt repeats a single prompt for every sample.
func repeatPrompt(prompt *tensors.Tensor, n int) *tensors.Tensor {
	if prompt == nil || prompt.Rank() != 3 || prompt.Shape().Dimensions[0] != 1 || n == 1 {
		return prompt
	}
	shape := slices.Clone(prompt.Shape().Dimensions)
	shape[0] = n
	if prompt.DType() == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(slices.Repeat(tensors.MustCopyFlatData[float64](prompt), n), shape...)
	}
	return tensors.FromFlatDataAndDimensions(slices.Repeat(tensors.MustCopyFlatData[float32](prompt), n), shape...)
}

// family returns an error if the model cannot continue the original's steps.
func family(original, other diffusion.Model, name string) error {
	a, b := original.UNet, other.UNet
	if a.In != b.In || a.Context != b.Context || !reflect.DeepEqual(a.Levels, b.Levels) {
		return fmt.Errorf("%s is of another shape than the original: %d channels in and %v at its levels, the "+
			"original %d and %v", name, b.In, widths(b), a.In, widths(a))
	}
	from, to := original.Schedule, other.Schedule
	from.Prediction, to.Prediction = "", ""
	from.SkipRungeKutta, to.SkipRungeKutta = false, false
	if !reflect.DeepEqual(from, to) {
		return fmt.Errorf("%s has another noise schedule than the original, so that its latents differ from "+
			"the original's", name)
	}
	return nil
}

func widths(c diffusion.UNetConfig) []int {
	var widths []int
	for _, level := range c.Levels {
		widths = append(widths, level.Channels)
	}
	return widths
}
