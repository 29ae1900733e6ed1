package certify

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// power is the probability with which a study decides a claim at the distance that the study resolves.
const power = .8

// widest returns the spread that has the largest half-width: sampling, down or up.
func (e *Estimate) widest() spread {
	widest := e.sampling
	for _, s := range []spread{e.down, e.up} {
		if s.half(alpha) > widest.half(alpha) {
			widest = s
		}
	}
	if e.share != nil && widest.deviation == 0 {
		widest.deviation = math.NaN() // a share of 0, or of the whole, has no observed variance
	}
	return widest
}

// resolves returns the true distance from a bound at which two-sided tests decide with probability power, after
// Bonferroni's correction for the number of tests. It uses the estimated standard error as if it were the true one.
func (s spread) resolves(tests int) float64 {
	if !(s.deviation > 0) {
		return s.deviation // 0 if the value is certain, or NaN
	}
	needed := quantile(1-alpha/2/float64(tests), s.freedom)
	scales := s.scales()
	low, high := 0., needed
	for s.rejectionRate(high, needed, scales) < power {
		low, high = high, 2*high
	}
	for range 50 {
		if middle := (low + high) / 2; s.rejectionRate(middle, needed, scales) < power {
			low = middle
		} else {
			high = middle
		}
	}
	return s.deviation * high
}

// rejectionRate returns the probability that Student's t exceeds needed if the truth is away standard errors from the
// bound. It averages normal distributions over the standard errors that a study may estimate. The average is the
// noncentral t distribution.
func (s spread) rejectionRate(away, needed float64, scales []float64) (share float64) {
	for _, scale := range scales {
		share += distuv.UnitNormal.CDF(away-needed*scale) / float64(len(scales))
	}
	return share
}

// scales returns standard errors that a study may estimate, relative to the true one. It divides their distribution
// into equally probable parts and returns the median of each part.
func (s spread) scales() []float64 {
	if s.freedom > normalFrom {
		return []float64{1}
	}
	const parts = 64
	scales := make([]float64, parts)
	for i := range scales {
		squared := distuv.ChiSquared{K: s.freedom}.Quantile((float64(i) + .5) / parts)
		scales[i] = math.Sqrt(squared / s.freedom)
	}
	return scales
}
