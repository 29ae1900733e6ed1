package partialdiffusion

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// HandOver is the state that the original passes to another model at a ratio.
type HandOver struct {
	Stage
	Latents []float64 // latents of all samples
	// the original's prediction of the latents without noise, x0; the latents themselves at the end
	Predicted []float64
}

// Prefixes holds the original's steps up to every ratio, for any number of models to complete.
type Prefixes struct {
	Settings
	HandOvers []HandOver
	Shape     []int // shape of the latents: [n, channels, height, width]
	Calls     Calls // calls of the original's network

	model diffusion.Model
	keep  *Keep
}

// Calls counts how often networks were called for a sample.
type Calls struct {
	Made    int `json:"made"`
	Without int `json:"without"` // number of calls without sharing steps between ratios
}

// Begin runs the original's steps once, through the hand-overs of all ratios.
func Begin(ctx context.Context, s Settings, original Model, progress attack.Progress) (*Prefixes, error) {
	return begin(ctx, s, original, nil, progress)
}

func begin(ctx context.Context, s Settings, original Model, keep *Keep, progress attack.Progress) (*Prefixes, error) {
	p := &Prefixes{Settings: s, model: original.Denoiser.Model(), keep: keep}
	stages, err := s.Stages(p.model.Schedule)
	if err != nil {
		return nil, fmt.Errorf("partial diffusion: %w", err)
	}
	count := newCounter(progress, prefixCalls(stages))
	var state *schedule.State
	for _, stage := range stages {
		hand := HandOver{Stage: stage}
		if last := len(p.HandOvers) - 1; last >= 0 && p.HandOvers[last].Steps == stage.Steps {
			hand.Latents, hand.Predicted = p.HandOvers[last].Latents, p.HandOvers[last].Predicted
		} else if state, err = p.extend(ctx, original, &hand, state, count); err != nil {
			return nil, fmt.Errorf("partial diffusion: %s, ψ %s: %w", original.Name, stage.Psi, err)
		}
		p.HandOvers = append(p.HandOvers, hand)
		p.Calls.Without += stage.CallsBefore
	}
	p.Calls.Made = state.Next
	return p, nil
}

// prefixCalls counts the calls of the longest prefix and of the predictions.
func prefixCalls(stages []Stage) int {
	calls, steps := stages[len(stages)-1].CallsBefore, -1
	for _, stage := range stages {
		if stage.Steps != steps && stage.Timestep >= 0 {
			calls++
		}
		steps = stage.Steps
	}
	return calls
}

// extend continues the original from the previous hand-over to this one. A longer plan begins with the same calls, so
// that the state of a shorter plan is also a state of the longer one.
func (p *Prefixes) extend(ctx context.Context, original Model, hand *HandOver, state *schedule.State,
	count *counter) (*schedule.State, error) {
	o := p.options(original, hand.Before)
	o.State, o.Progress = state, count.stage()
	drawn, err := p.keep.sample(ctx, fmt.Sprintf("original-%d", hand.Steps), original.Denoiser, o)
	if err != nil {
		return nil, err
	}
	p.Shape, p.Height, p.Width = drawn.Shape, drawn.Shape[2], drawn.Shape[3]
	hand.Latents, hand.Predicted = drawn.Samples, drawn.Samples
	if hand.Timestep >= 0 {
		o = p.options(original, hand.After)
		o.Start = drawn.Samples
		predicted, err := p.keep.loadOrMake(fmt.Sprintf("predicted-%d", hand.Steps), func() (diffusion.Result, error) {
			return diffusion.Predict(ctx, original.Denoiser, o)
		})
		if err != nil {
			return nil, err
		}
		hand.Predicted = predicted.Samples
		count.add(1)
	}
	return &drawn.State, nil
}

// Completions holds the samples that a model completes from the hand-overs.
type Completions struct {
	Name    string
	Latents [][]float64 // latents of all samples, by ratio
	Calls   Calls       // calls of this model's network
}

// Complete runs a model on the remaining steps of every ratio.
func (p *Prefixes) Complete(ctx context.Context, m Model, progress attack.Progress) (*Completions, error) {
	if err := family(p.model, m.Denoiser.Model(), m.Name); err != nil {
		return nil, fmt.Errorf("partial diffusion: %w", err)
	}
	count := newCounter(progress, completionCalls(p.stages()))
	c := &Completions{Name: m.Name}
	for i, hand := range p.HandOvers {
		c.Calls.Without += hand.CallsAfter
		switch {
		case hand.Timestep < 0:
			c.Latents = append(c.Latents, hand.Latents)
			continue
		case i > 0 && hand.Steps == p.HandOvers[i-1].Steps:
			c.Latents = append(c.Latents, c.Latents[i-1])
			continue
		}
		o := p.options(m, hand.After)
		o.Progress = count.stage()
		o.Start = hand.Latents
		drawn, err := p.keep.sample(ctx, fmt.Sprintf("completed-%d-%s", hand.Steps, m.Name), m.Denoiser, o)
		if err != nil {
			return nil, fmt.Errorf("partial diffusion: %s, ψ %s: %w", m.Name, hand.Psi, err)
		}
		c.Latents = append(c.Latents, drawn.Samples)
		c.Calls.Made += hand.CallsAfter
	}
	return c, nil
}

// completionCalls counts the calls of a model that completes every distinct hand-over once.
func completionCalls(stages []Stage) int {
	calls, steps := 0, -1
	for _, stage := range stages {
		if stage.Steps != steps {
			calls += stage.CallsAfter
		}
		steps = stage.Steps
	}
	return calls
}

func (p *Prefixes) stages() []Stage {
	var stages []Stage
	for _, hand := range p.HandOvers {
		stages = append(stages, hand.Stage)
	}
	return stages
}

// counter sums the calls of several runs.
type counter struct {
	progress attack.Progress
	done, of int
}

func newCounter(progress attack.Progress, of int) *counter {
	return &counter{progress: progress, of: of}
}

func (c *counter) add(calls int) {
	c.done += calls
	if c.progress != nil {
		c.progress(c.done, c.of)
	}
}

// stage returns the progress function of one run.
func (c *counter) stage() func(calls, of int) { return func(int, int) { c.add(1) } }
