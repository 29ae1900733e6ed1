package stat

import (
	"math"
	"slices"
)

// PowerBinomial returns the power of the exact binomial test with n trials and the null probability p0, if the true
// probability is p. It is the probability of all counts whose p-value is at most α = 1 − level. The two-sided p-value
// adds the probabilities of all counts that are not more likely than the observed one, as scipy.stats.binomtest and R's
// binom.test do. The options are a [Level] and an [Alternative]. The power is NaN if n < 1, if a probability is outside
// [0, 1], or if the level is outside (0, 1).
func PowerBinomial(n int, p, p0 float64, opts ...Option) float64 {
	s := resolve(opts, false)
	if n < 1 || !isProbability(p) || !isProbability(p0) || !s.validLevel() {
		return math.NaN()
	}
	rejected := s.rejectedCounts(binomialMasses(n, p0))
	power := 0.
	for k, mass := range binomialMasses(n, p) {
		if rejected(k) {
			power += mass
		}
	}
	return power
}

// PowerSign returns the power of the sign test of n non-zero differences. Each is positive with probability p.
func PowerSign(n int, p float64, opts ...Option) float64 {
	return PowerBinomial(n, p, .5, opts...)
}

// SampleSizeBinomial returns the smallest number of trials for which [PowerBinomial] is at least the given power.
// Because counts are whole numbers, the power does not increase steadily with n. It may be too small again for a
// slightly larger n.
//
// Special cases are:
//
//	power outside (0, 1), or not reached by 100,000 trials  →  0 with WarnBadParameter
func SampleSizeBinomial(power, p, p0 float64, opts ...Option) (int, Warning) {
	s := resolve(opts, false)
	likely, w := powerSearch(power, 1, func(n int) float64 {
		null := math.Sqrt(p0 * (1 - p0) / float64(n))
		return s.powerNormal(p-p0, null, math.Sqrt(p*(1-p)/float64(n)))
	})
	if w != 0 || !isProbability(p) || !isProbability(p0) {
		return 0, WarnBadParameter
	}
	return powerScan(power, likely, func(n int) float64 { return PowerBinomial(n, p, p0, opts...) })
}

// SampleSizeSign returns the smallest number of differences for which [PowerSign] is at least the given power. The
// limitations of [SampleSizeBinomial] apply.
func SampleSizeSign(power, p float64, opts ...Option) (int, Warning) {
	return SampleSizeBinomial(power, p, .5, opts...)
}

// powerScan returns the smallest n with powerOf(n) ≥ power. It assumes that the power is a saw tooth around a curve
// that reaches the wanted power near likely. The teeth are as high as one count's probability, O(1/√n), so that the
// crossing moves by O(√n). The scan starts well before that.
func powerScan(power float64, likely int, powerOf func(n int) float64) (int, Warning) {
	const most = 100_000
	from := max(1, likely-20-int(10*math.Sqrt(float64(likely))))
	for n := from; n <= most; n++ {
		if powerOf(n) >= power {
			return n, 0
		}
	}
	return 0, WarnBadParameter
}

// rejectedCounts returns a function that reports whether a count is significant, given the probabilities of all counts
// under the null hypothesis.
func (s settings) rejectedCounts(null []float64) func(k int) bool {
	alpha := (1 - s.level) * (1 + 1e-12) // a p-value of exactly α must reject regardless of rounding
	if s.alternative == TwoSided {
		sorted := slices.Sorted(slices.Values(null))
		cumulated := make([]float64, len(sorted)+1)
		for i, mass := range sorted {
			cumulated[i+1] = cumulated[i] + mass
		}
		return func(k int) bool {
			// 1e-7 is scipy's and R's tolerance for equally likely counts
			notMoreLikely, _ := slices.BinarySearch(sorted, null[k]*(1+1e-7))
			return cumulated[notMoreLikely] <= alpha
		}
	}
	first, step := 0, 1
	if s.alternative == Greater {
		first, step = len(null)-1, -1
	}
	k, tail := first, null[first]
	for tail <= alpha && k+step >= 0 && k+step < len(null) {
		k += step
		tail += null[k]
	}
	if s.alternative == Greater {
		return func(count int) bool { return count > k }
	}
	return func(count int) bool { return count < k }
}
