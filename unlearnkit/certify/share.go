package certify

import "math"

// share describes the mean of outcomes between 0 and whole. n is the number of independent outcomes that would carry
// the same information.
type share struct{ n, freedom, whole float64 }

// share returns the mean as a share, with the number of independent outcomes that would have the same variance. It
// returns nil if there is no such finite, positive number. The number of outcomes limits it, because a few repetitions
// may be alike by chance. The number of units limits it, too, if nearly all outcomes are 0, or nearly all are the
// largest possible number. The degrees of freedom are at most most.
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

// at returns the spread that the share would have if its true value were value, as in the score test.
func (s *share) at(value float64) spread {
	return spread{math.Sqrt(max(0, value*(s.whole-value)) / s.n), s.freedom}
}

// interval returns Wilson's interval with Student's quantile. It contains the true shares that the score test does not
// reject.
func (s *share) interval(value, out float64) (lo, hi float64) {
	value /= s.whole
	square := math.Pow(quantile(1-out/2, s.freedom), 2)
	middle := (value + square/(2*s.n)) / (1 + square/s.n)
	half := math.Sqrt(square*value*(1-value)/s.n+square*square/(4*s.n*s.n)) / (1 + square/s.n)
	return s.whole * max(0, min(value, middle-half)), s.whole * min(1, max(value, middle+half))
}
