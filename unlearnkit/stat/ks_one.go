package stat

import "math"

// KS1 performs the Kolmogorov-Smirnov test of x against the continuous distribution function cdf with the statistic
//
//	D⁺ = max (i/n − cdf(x₍ᵢ₎)),  D⁻ = max (cdf(x₍ᵢ₎) − (i−1)/n),  D = max(D⁺, D⁻)
//
// for the alternatives Greater, Less and TwoSided. They refer to the distribution functions and not to the values:
// Greater means that the empirical distribution function of x is above cdf somewhere.
//
// Auto is exact at any n (see [KolmogorovSF] and [SmirnovSF]), as in scipy.stats.ks_1samp. Asymptotic is Kolmogorov's
// limiting law of D√n; a one-sided p-value is exact in any case.
//
// The effect is the signed difference of the empirical distribution function and cdf at Location.
//
// Special cases are:
//
//	no values, NaN             →  P = NaN with WarnEmpty, WarnNaN
//	cdf outside [0, 1] or NaN  →  P = NaN with WarnBadParameter
func KS1(x []float64, cdf func(float64) float64, opts ...Option) KSResult {
	s := resolve(opts, false)
	r := KSResult{Result: Result{Test: "ks1", Alternative: s.alternative, N: len(x), Method: Exact}, N1: len(x)}
	keys := s.scratch.keysOf(2 * len(x))
	if len(x) == 0 {
		r.Warnings |= WarnEmpty
		return r.undefined()
	}
	if !rankKeys(keys[:len(x)], x) {
		r.Warnings |= WarnNaN
		return r.undefined()
	}
	if !r.oneSampleDistance(rankSort(keys[:len(x)], keys[len(x):]), cdf, s.alternative) {
		r.Warnings |= WarnBadParameter
		return r.undefined()
	}
	r.Effect = bare("F1 − F", float64(r.Sign)*r.Statistic)
	switch {
	case s.alternative != TwoSided:
		r.P = SmirnovSF(r.Statistic, r.N)
	case s.method == Asymptotic:
		r.Method = Asymptotic
		r.P = kolmogorovLimitSF(r.Statistic * math.Sqrt(float64(r.N)))
	default:
		r.P = KolmogorovSF(r.Statistic, r.N)
	}
	return r
}

// oneSampleDistance sets Statistic, Location and Sign from the sorted keys of x. It returns false if a value of cdf is
// not a probability.
func (r *KSResult) oneSampleDistance(keys []uint64, cdf func(float64) float64, a Alternative) bool {
	n := float64(len(keys))
	above, below := math.Inf(-1), math.Inf(-1)
	var atAbove, atBelow float64
	for i, key := range keys {
		value := rankValue(key)
		f := cdf(value)
		if !(f >= 0 && f <= 1) {
			return false
		}
		if d := float64(i+1)/n - f; d > above {
			above, atAbove = d, value
		}
		if d := f - float64(i)/n; d > below {
			below, atBelow = d, value
		}
	}
	if a == Greater || a == TwoSided && above > below {
		r.Statistic, r.Location, r.Sign = above, atAbove, 1
	} else {
		r.Statistic, r.Location, r.Sign = below, atBelow, -1
	}
	return true
}
