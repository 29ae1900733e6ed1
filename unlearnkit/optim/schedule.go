package optim

import "math"

// Schedule returns the learning rate of each step; the first step is number zero.
type Schedule interface {
	Rate(step int) float64
}

// Constant is the same rate at every step.
type Constant float64

// Rate implements [Schedule].
func (c Constant) Rate(int) float64 { return float64(c) }

// LinearWarmup rises from zero to Peak over the first Warmup steps and stays there, like transformers'
// get_constant_schedule_with_warmup.
type LinearWarmup struct {
	Peak   float64
	Warmup int
}

// Rate implements [Schedule].
func (s LinearWarmup) Rate(step int) float64 {
	if step >= s.Warmup {
		return s.Peak
	}
	return s.Peak * (float64(step) / float64(s.Warmup))
}

// Linear rises from zero to Peak over the first Warmup steps, falls linearly to Floor at step Steps and stays there,
// like transformers' get_linear_schedule_with_warmup and torch's LinearLR.
type Linear struct {
	Peak   float64
	Warmup int
	Steps  int // total, including the warm-up
	Floor  float64
}

// Rate implements [Schedule].
func (s Linear) Rate(step int) float64 {
	if step < s.Warmup {
		return LinearWarmup{s.Peak, s.Warmup}.Rate(step)
	}
	return s.Floor + (s.Peak-s.Floor)*(1-progress(step, s.Warmup, s.Steps))
}

// Cosine rises from zero to Peak over the first Warmup steps, falls along half a cosine to Floor at step Steps and
// stays there, like transformers' get_cosine_schedule_with_warmup. Up to that step it also equals torch's
// CosineAnnealingLR.
type Cosine struct {
	Peak   float64
	Warmup int
	Steps  int // total, including the warm-up
	Floor  float64
}

// Rate implements [Schedule].
func (s Cosine) Rate(step int) float64 {
	if step < s.Warmup {
		return LinearWarmup{s.Peak, s.Warmup}.Rate(step)
	}
	return s.Floor + (s.Peak-s.Floor)*0.5*(1+math.Cos(math.Pi*progress(step, s.Warmup, s.Steps)))
}

// progress returns the fraction of the way from the warm-up's end to the last step that step has covered, at most one.
func progress(step, warmup, steps int) float64 {
	return min(float64(step-warmup)/float64(max(1, steps-warmup)), 1)
}
