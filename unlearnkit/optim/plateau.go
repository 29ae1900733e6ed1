package optim

import "math"

// Plateau multiplies the rate by Factor when the observed value has not improved for more than Patience observations,
// like torch's ReduceLROnPlateau. A Patience of zero really means zero; PyTorch's default is 10.
//
// Only Progress changes, so a saved plateau can continue.
type Plateau struct {
	Initial   float64 // the first rate
	Factor    float64 // 0.1 if zero
	Patience  int
	Threshold float64 // the least improvement that counts; 1e-4 if zero
	Absolute  bool    // Threshold is a difference instead of a fraction of the best
	Maximize  bool    // larger is better
	Cooldown  int     // observations after a reduction that are not counted
	Floor     float64 // the smallest rate

	Progress PlateauProgress
}

// PlateauProgress is the state of a [Plateau].
type PlateauProgress struct {
	Rate    float64 // the current rate; Initial if zero
	HasBest bool    // an observation was better than the worst possible value
	Best    float64 // the best observation
	Bad     int     // observations without improvement
	Cooling int     // remaining observations that are not counted
}

// leastReduction is PyTorch's eps: smaller reductions of the rate are skipped.
const leastReduction = 1e-8

// Rate implements [Schedule]; the rate depends on the observations, not on the step.
func (p *Plateau) Rate(int) float64 { return orDefault(p.Progress.Rate, p.Initial) }

// Observe records the value that should improve, such as the loss over a validation set. NaN counts as no improvement.
func (p *Plateau) Observe(value float64) {
	s := &p.Progress
	if p.improves(value) {
		s.HasBest, s.Best, s.Bad = true, value, 0
	} else {
		s.Bad++
	}
	if s.Cooling > 0 {
		s.Cooling--
		s.Bad = 0
	}
	if s.Bad > p.Patience {
		if old, rate := p.Rate(0), max(p.Rate(0)*orDefault(p.Factor, 0.1), p.Floor); old-rate > leastReduction {
			s.Rate = rate
		}
		s.Cooling, s.Bad = p.Cooldown, 0
	}
}

func (p *Plateau) improves(value float64) bool {
	threshold, best := orDefault(p.Threshold, 1e-4), p.Progress.Best
	switch {
	case !p.Progress.HasBest && p.Maximize:
		return value > math.Inf(-1)
	case !p.Progress.HasBest:
		return value < math.Inf(1)
	case p.Absolute && p.Maximize:
		return value > best+threshold
	case p.Absolute:
		return value < best-threshold
	case p.Maximize:
		return value > best*(1+threshold)
	}
	return value < best*(1-threshold)
}
