package stat

import "math"

// PowerProportions returns the power of the z test of two independent proportions, p in n trials and q in m trials. The
// test pools the variance under the null hypothesis:
//
//	power = Φ((|p−q| − z·s₀)/s) + Φ((−|p−q| − z·s₀)/s),
//	s₀² = p̄(1−p̄)(1/n + 1/m),  p̄ = (np + mq)/(n + m),  s² = p(1−p)/n + q(1−q)/m.
//
// With n = m this is R's power.prop.test(strict = TRUE). It uses the normal approximation; use [PowerSimulated] if np
// is small. The options are a [Level] and an [Alternative]. A one-sided test has no second term. The power is NaN if a
// proportion is outside [0, 1], if a sample is empty, or if the level is outside (0, 1).
func PowerProportions(n, m int, p, q float64, opts ...Option) float64 {
	s := resolve(opts, false)
	if !isProbability(p) || !isProbability(q) || n < 1 || m < 1 || !s.validLevel() {
		return math.NaN()
	}
	a, b := float64(n), float64(m)
	pooled := (a*p + b*q) / (a + b)
	null := math.Sqrt(pooled * (1 - pooled) * (1/a + 1/b))
	return s.powerNormal(p-q, null, math.Sqrt(p*(1-p)/a+q*(1-q)/b))
}

// PowerProportionsArcsine returns the power of the same test by Cohen's variance-stabilising transformation:
// Φ(|h|·√(nm/(n+m)) − z) plus the other tail, with h as in [CohenH]. R's pwr.2p2n.test and statsmodels' NormalIndPower
// return the same.
func PowerProportionsArcsine(n, m int, p, q float64, opts ...Option) float64 {
	s := resolve(opts, false)
	if n < 1 || m < 1 || !s.validLevel() {
		return math.NaN()
	}
	deviation := math.Sqrt(1/float64(n) + 1/float64(m))
	return s.powerNormal(CohenH(p, q), deviation, deviation)
}

// CohenH returns Cohen's effect size for two proportions, h = 2·asin(√p) − 2·asin(√q). It returns NaN for proportions
// outside [0, 1].
func CohenH(p, q float64) float64 {
	if !isProbability(p) || !isProbability(q) {
		return math.NaN()
	}
	return 2*math.Asin(math.Sqrt(p)) - 2*math.Asin(math.Sqrt(q))
}

// SampleSizeProportions returns the smallest size of each of two equal samples for which [PowerProportions] is at least
// the given power. Special cases are the same as for [SampleSizeTTestPaired].
func SampleSizeProportions(power, p, q float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 1, func(n int) float64 { return PowerProportions(n, n, p, q, opts...) })
}

// SampleSizeProportionsArcsine works like [SampleSizeProportions], but uses [PowerProportionsArcsine].
func SampleSizeProportionsArcsine(power, p, q float64, opts ...Option) (int, Warning) {
	return powerSearch(power, 1, func(n int) float64 { return PowerProportionsArcsine(n, n, p, q, opts...) })
}

// powerNormal returns the power of a z test. Its estimate is normal with mean effect, the standard deviation null under
// the null hypothesis, and the true standard deviation actual. The test rejects if the estimate is too many multiples
// of null from zero.
func (s settings) powerNormal(effect, null, actual float64) float64 {
	alpha := 1 - s.level
	switch s.alternative {
	case Greater:
		return normalCDF((effect - normalQuantile(alpha)*null) / actual)
	case Less:
		return normalCDF((-effect - normalQuantile(alpha)*null) / actual)
	}
	z := normalQuantile(alpha/2) * null
	return normalCDF((effect-z)/actual) + normalCDF((-effect-z)/actual)
}
