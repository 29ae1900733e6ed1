package certify

import (
	"math"
	"slices"
	"sort"

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

// MostNeeded is the largest number of repetitions that [Judged.Needs] counts up to.
const MostNeeded = 1000

// needs returns the smallest number of repetitions with which two-sided tests decide with probability power, after
// Bonferroni's correction for the number of tests, if the distance from the bound and the variances are as estimated.
// More repetitions reduce the variance between repetitions, but not the variance between units that all repetitions
// share. It returns MostNeeded+1 for a larger number, and 0 if nothing is repeated or the spread is not known.
func (e *Estimate) needs(distance float64, tests int) int {
	own, widest := combine(e.sources, 0), e.widest()
	repetitions := 0
	for _, s := range e.sources {
		repetitions = max(repetitions, s.repetitions)
	}
	if repetitions < 2 || !(own.deviation > 0 && widest.deviation > 0) {
		return 0
	}
	return repetitions + 1 + sort.Search(MostNeeded-repetitions, func(i int) bool {
		n := float64(repetitions + 1 + i)
		more := slices.Clone(e.sources)
		for k, s := range more {
			if s.repetitions > 0 {
				times := n / float64(repetitions)
				more[k].variance, more[k].freedom = s.variance/times, times*(s.freedom+1)-1
			}
		}
		now := combine(more, 0)
		now.deviation *= widest.deviation / own.deviation
		needed := quantile(1-alpha/2/float64(tests), now.freedom)
		return now.rejectionRate(distance/now.deviation, needed, now.scales()) >= power
	})
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
