package certify

import "math"

// apart says how the variance of a difference of two shares grows where the truth is another than the estimate. The
// first share is repeated, the second is independent of its repetitions. A share that happens to be small shows a small
// variance, too: if it were larger by the difference in question, its variance would be larger in proportion to
// p(1-p), as in the score test of a single share.
type apart struct {
	share float64 // the first one, as a part of the whole
	ratio float64 // its variance divided by p(1-p), but no less than of as many independent outcomes
	least float64 // what its variance lacks of that
	whole float64
}

// apartOf returns nil of all other quantities, and where the first share is 0, or whole, but for few units.
func apartOf(value float64, parts []part) *apart {
	if len(parts) != 2 {
		return nil
	}
	own, other := parts[0], parts[1]
	whole := own.whole()
	switch {
	case !own.share || !other.share || own.once || len(own.samples) < 2 || !other.once && own.noun == other.noun,
		math.Abs(own.slope-1) > 1e-6 || math.Abs(other.slope+1) > 1e-6,
		math.Abs(value-(own.value-other.value)) > rounding*whole, own.flat():
		return nil
	}
	deviation := linearised(own.value, []part{{own.Outcomes, own.value, 1}}).estimate().shown.deviation / whole
	p := own.value / whole
	if !(deviation >= 0 && p > 0 && p < 1) {
		return nil
	}
	least := p * (1 - p) / own.independent()
	variance := max(least, deviation*deviation)
	return &apart{p, variance / (p * (1 - p)), variance - deviation*deviation, whole}
}

// at returns the spread if the truth is so far above the estimate: no less than is shown.
func (a *apart) at(s spread, distance float64) spread {
	if a == nil {
		return s
	}
	x := distance / a.whole
	more := a.least + max(0, a.ratio*x*(1-2*a.share-x))
	return spread{math.Sqrt(s.deviation*s.deviation + more*a.whole*a.whole), s.freedom}
}

// reach returns how far the interval goes up, or down if side is -1: to where the test begins to reject.
func (a *apart) reach(s spread, out, side float64) float64 {
	s = a.at(s, 0)
	half := s.half(out)
	if a == nil || !(s.deviation > 0) {
		return half
	}
	square := math.Pow(quantile(1-out/2, s.freedom), 2)
	shown := s.deviation * s.deviation / (a.whole * a.whole)
	linear := side * square * a.ratio * (1 - 2*a.share)
	curved := 1 + square*a.ratio
	return max(half, a.whole*(linear+math.Sqrt(linear*linear+4*curved*square*shown))/(2*curved))
}
