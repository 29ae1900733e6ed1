package stat

import "math"

// PowerTTestPaired returns the power of the t test of n paired differences, or of one sample of n values, whose true
// mean is dz standard deviations from the tested value. It is exact for normal data. If T is noncentral t with ν = n −
// 1 and δ = dz·√n,
//
//	power = P(T > t) + P(T < −t),  t the upper (α/2)-quantile of Student's t,  α = 1 − level.
//
// The options are a [Level] (.95 means a test at .05) and an [Alternative]. The power is NaN if n < 2, if dz is NaN, or
// if the level is outside (0, 1).
func PowerTTestPaired(n int, dz float64, opts ...Option) float64 {
	return resolve(opts, false).powerT(float64(n), dz)
}

// PowerTTestInd returns the power of the t test for two independent samples with n and m values. The samples have equal
// variances, and their true means differ by d standard deviations. The formula is the same as for [PowerTTestPaired],
// with ν = n + m − 2 and δ = d·√(nm/(n+m)). The power is NaN for an empty sample or if n + m < 3.
func PowerTTestInd(n, m int, d float64, opts ...Option) float64 {
	return resolve(opts, false).powerTInd(float64(n), float64(m), d)
}

// SampleSizeTTestPaired returns the smallest number of pairs for which the paired t test has at least the given power.
//
// Special cases are:
//
//	power outside (0, 1), or not reached by 1e9 pairs (dz = 0, or of the wrong sign)  →  0 with WarnBadParameter
func SampleSizeTTestPaired(power, dz float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerTTestPaired(n, dz, opts...) })
}

// SampleSizeTTestInd returns the smallest size of each of two equal samples for which the t test of independent samples
// has at least the given power. Special cases are the same as for [SampleSizeTTestPaired].
func SampleSizeTTestInd(power, d float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 2, func(n int) float64 { return PowerTTestInd(n, n, d, opts...) })
}

// DetectableTTestPaired returns the smallest effect |d_z| that the paired t test of n pairs detects with the given
// power. For the alternative [Less] it returns a negative effect. It returns NaN if the power is not in (α, 1), or if
// [PowerTTestPaired] is NaN.
func DetectableTTestPaired(n int, power float64, opts ...Option) float64 {
	return resolve(opts, false).detectable(float64(n-1), power) / math.Sqrt(float64(n))
}

// DetectableTTestInd returns the smallest Cohen's d that the t test of two independent samples of n and m values
// detects with the given power, see [DetectableTTestPaired].
func DetectableTTestInd(n, m int, power float64, opts ...Option) float64 {
	if n < 1 || m < 1 {
		return math.NaN()
	}
	scale := math.Sqrt(float64(n) * float64(m) / float64(n+m))
	return resolve(opts, false).detectable(float64(n+m-2), power) / scale
}

// powerT returns the power of a t test of n differences. n may be a fraction.
func (s settings) powerT(n, dz float64) float64 {
	return s.powerNoncentralT(n-1, dz*math.Sqrt(n))
}

// powerTInd returns the power of a t test for two samples with n and m values. n and m may be fractions.
func (s settings) powerTInd(n, m, d float64) float64 {
	if !(n > 0 && m > 0) {
		return math.NaN()
	}
	return s.powerNoncentralT(n+m-2, d*math.Sqrt(n*m/(n+m)))
}

func (s settings) powerNoncentralT(nu, delta float64) float64 {
	if !(nu > 0) || math.IsNaN(delta) || !s.validLevel() {
		return math.NaN()
	}
	alpha := 1 - s.level
	switch s.alternative {
	case Greater:
		_, upper := noncentralT(studentQuantile(alpha, nu), nu, delta)
		return upper
	case Less:
		lower, _ := noncentralT(-studentQuantile(alpha, nu), nu, delta)
		return lower
	}
	critical := studentQuantile(alpha/2, nu)
	_, upper := noncentralT(critical, nu, delta)
	lower, _ := noncentralT(-critical, nu, delta)
	return lower + upper
}

// detectable returns the noncentrality at which a t test with nu degrees of freedom has the given power.
func (s settings) detectable(nu, power float64) float64 {
	if !(nu > 0) || !s.validLevel() || !(power > 1-s.level && power < 1) {
		return math.NaN()
	}
	sign := 1.
	if s.alternative == Less {
		sign = -1
	}
	return sign * increasingRoot(func(delta float64) float64 {
		return s.powerNoncentralT(nu, sign*max(delta, 0)) - power
	}, 3, 1)
}

// powerSearch returns the smallest n ≥ from with powerOf(n) ≥ power. The power must not decrease with n.
func powerSearch(power float64, from int, powerOf func(n int) float64) (int, Warning) {
	const most = 1_000_000_000
	if !(power > 0 && power < 1) {
		return 0, WarnBadParameter
	}
	below, n := from-1, from
	for !(powerOf(n) >= power) {
		if n == most {
			return 0, WarnBadParameter
		}
		below, n = n, min(2*n, most)
	}
	for n-below > 1 {
		middle := below + (n-below)/2
		if powerOf(middle) >= power {
			n = middle
		} else {
			below = middle
		}
	}
	return n, 0
}
