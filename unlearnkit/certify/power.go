package certify

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// power is how often a study should decide a claim at the distance that it resolves.
const power = .8

// widest is how far the truth may lie from the estimate on the side of which less is known.
func (e *Estimate) widest() spread {
	widest := e.shown
	for _, s := range []spread{e.down, e.up} {
		if s.half(alpha) > widest.half(alpha) {
			widest = s
		}
	}
	if e.share != nil && widest.deviation == 0 {
		widest.deviation = math.NaN() // a share of none or of all shows nothing of how it varies
	}
	return widest
}

// resolves is the distance from a bound at which that many two-sided tests at once tell the sides apart so often. The
// standard error is taken for the true one.
func (s spread) resolves(tests int) float64 {
	if !(s.deviation > 0) {
		return s.deviation // certain, or NaN
	}
	needed := quantile(1-alpha/2/float64(tests), s.freedom)
	scales := s.scales()
	low, high := 0., needed
	for s.found(high, needed, scales) < power {
		low, high = high, 2*high
	}
	for range 50 {
		if middle := (low + high) / 2; s.found(middle, needed, scales) < power {
			low = middle
		} else {
			high = middle
		}
	}
	return s.deviation * high
}

// found is how often Student's t lies beyond what is needed where the truth lies so many standard errors away: its
// noncentral distribution, as the mean of normal ones over what the standard error may be found to be.
func (s spread) found(away, needed float64, scales []float64) (share float64) {
	for _, scale := range scales {
		share += distuv.UnitNormal.CDF(away-needed*scale) / float64(len(scales))
	}
	return share
}

// scales are what a study finds for its standard error, in the middles of equally frequent parts, with the true one
// for 1.
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
