package optim

import "math"

// Plateau multiplies the rate by Factor when what is observed has not improved for more than Patience observations, as
// torch's ReduceLROnPlateau. Its Patience of zero is none; PyTorch's default is 10.
//
// Progress is all that changes, so a plateau goes on from a saved one.
type Plateau struct {
	Initial   float64 // the first rate
	Factor    float64 // 0.1 if zero
	Patience  int
	Threshold float64 // the least improvement that counts; 1e-4 if zero
	Absolute  bool    // Threshold is a difference instead of a part of the best
	Maximize  bool    // larger is better
	Cooldown  int     // observations after a reduction that are not counted
	Floor     float64 // the least rate

	Progress PlateauProgress
}

// PlateauProgress is what a [Plateau] remembers.
type PlateauProgress struct {
	Rate    float64 // the rate now, Initial if zero
	HasBest bool    // there was an observation better than the worst there is
	Best    float64 // the best observation
	Bad     int     // observations without improvement
	Cooling int     // observations still not counted
}

// leastReduction is PyTorch's eps: a reduction of the rate by less is not made.
const leastReduction = 1e-8

// Rate implements [Schedule]; the rate depends on what was observed, not on the step.
func (p *Plateau) Rate(int) float64 { return orDefault(p.Progress.Rate, p.Initial) }

// Observe tells the value that is to improve, such as the loss over a validation set. NaN is no improvement.
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
