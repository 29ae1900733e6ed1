package certify

import "math"

// share is a mean of outcomes from 0 to 1: how many independent ones would know as much of it.
type share struct{ n, freedom float64 }

// share is nil where there is no variance to tell the number by. Where nearly all outcomes are 0, or 1, it is no more
// than that of units.
func (s spread) share(value, units float64, flat bool) *share {
	n := value * (1 - value) / (s.deviation * s.deviation)
	switch {
	case flat && !(n < units):
		return &share{units, max(1, units-1)}
	case n > 0 && !math.IsInf(n, 1):
		return &share{n, s.freedom}
	}
	return nil
}

// at is the spread of the share if its truth is value, as in the score test.
func (s *share) at(value float64) spread {
	return spread{math.Sqrt(max(0, value*(1-value)) / s.n), s.freedom}
}

// interval is Wilson's, with Student's quantile: the truths that the score test does not reject.
func (s *share) interval(value, out float64) (lo, hi float64) {
	square := math.Pow(quantile(1-out/2, s.freedom), 2)
	middle := (value + square/(2*s.n)) / (1 + square/s.n)
	half := math.Sqrt(square*value*(1-value)/s.n+square*square/(4*s.n*s.n)) / (1 + square/s.n)
	return max(0, min(value, middle-half)), min(1, max(value, middle+half))
}
