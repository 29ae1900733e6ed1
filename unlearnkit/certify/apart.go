package certify

import "math"

// A shareDifference computes the variance of a difference between two shares at a true difference other than the
// estimate. The first share is repeated; the second is independent of the first share's repetitions. A share that is
// small by chance also has a small variance. At a larger true share the variance would be larger, in proportion to
// p(1-p), as in the score test of a single share.
type shareDifference struct {
	share float64 // first share, as a fraction of its largest possible value
	ratio float64 // variance of the first share divided by p(1-p); at least 1/n for n independent outcomes
	least float64 // variance to add if the estimated variance is below its minimum
	whole float64
}

// shareDifferenceOf returns nil unless the quantity is a difference of two shares as in [shareDifference]. It also
// returns nil if the first share is 0 or 1, or nearly so.
func shareDifferenceOf(value float64, parts []part) *shareDifference {
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
	deviation := linearise(own.value, []part{{Outcomes: own.Outcomes, value: own.value, slope: 1}}).estimate().sampling.deviation / whole
	p := own.value / whole
	if !(deviation >= 0 && p > 0 && p < 1) {
		return nil
	}
	least := p * (1 - p) / own.independent()
	variance := max(least, deviation*deviation)
	return &shareDifference{p, variance / (p * (1 - p)), variance - deviation*deviation, whole}
}

// at returns the spread if the true difference is the estimate plus distance. The spread is at least s.
func (a *shareDifference) at(s spread, distance float64) spread {
	if a == nil {
		return s
	}
	x := distance / a.whole
	more := a.least + max(0, a.ratio*x*(1-2*a.share-x))
	return spread{math.Sqrt(s.deviation*s.deviation + more*a.whole*a.whole), s.freedom}
}

// reach returns the distance from the estimate to the bound at which the test begins to reject. The bound is below the
// estimate if side is -1, and above if side is 1.
func (a *shareDifference) reach(s spread, out, side float64) float64 {
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
