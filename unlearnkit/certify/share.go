package certify

import "math"

// share is a mean of outcomes from 0 to the whole: how many independent ones would know as much of it.
type share struct{ n, freedom, whole float64 }

// share returns as many independent outcomes as would have the variance, but no more than there are: few repetitions
// may by chance be alike. Where nearly all outcomes are 0, or the whole, it is no more than that of units. The degrees
// of freedom are no more than most.
func (s spread) share(value float64, of *Outcomes, most float64) *share {
	whole, units := of.whole(), float64(of.units())
	n := min(value*(whole-value)/(s.deviation*s.deviation), of.independent())
	switch {
	case of.flat() && !(n < units):
		return &share{units, min(most, max(1, units-1)), whole}
	case n > 0 && !math.IsInf(n, 1):
		return &share{n, s.freedom, whole}
	}
	return nil
}

// at is the spread of the share if its truth is value, as in the score test.
func (s *share) at(value float64) spread {
	return spread{math.Sqrt(max(0, value*(s.whole-value)) / s.n), s.freedom}
}

// interval is Wilson's, with Student's quantile: the truths that the score test does not reject.
func (s *share) interval(value, out float64) (lo, hi float64) {
	value /= s.whole
	square := math.Pow(quantile(1-out/2, s.freedom), 2)
	middle := (value + square/(2*s.n)) / (1 + square/s.n)
	half := math.Sqrt(square*value*(1-value)/s.n+square*square/(4*s.n*s.n)) / (1 + square/s.n)
	return s.whole * max(0, min(value, middle-half)), s.whole * min(1, max(value, middle+half))
}
