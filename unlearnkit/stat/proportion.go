package stat

import "math"

// Wilson returns the proportion k/n with Wilson's (1927) score interval,
//
//	(k + z²/2 ± z √(k(n−k)/n + z²/4)) / (n + z²),
//
// which agrees with statsmodels' proportion_confint(method="wilson") and R's prop.test without correction. The only
// option is the [Level].
//
// Special cases are:
//
//	n ≤ 0, k < 0, k > n, Level outside (0, 1)  →  all NaN
func Wilson(k, n int, opts ...Option) Effect {
	s := resolve(opts, false)
	return proportionWilson(k, n, s.level)
}

// ClopperPearson returns the proportion k/n with the exact interval of Clopper and Pearson (1934), whose limits are
// quantiles of beta distributions. It agrees with statsmodels' proportion_confint(method="beta") and R's binom.test.
// For the [Alternative] Less the interval starts at 0, and for Greater it ends at 1. Special cases are the same as for
// [Wilson].
func ClopperPearson(k, n int, opts ...Option) Effect {
	s := resolve(opts, false)
	if n <= 0 || k < 0 || k > n || !s.validLevel() {
		return bare("proportion", math.NaN())
	}
	return binomialClopperPearson(k, n, s)
}

// RiskDifference returns the difference k₁/n₁ − k₂/n₂ of two independent proportions with the hybrid score interval of
// Newcombe (1998a, method 10), which combines the Wilson limits lᵢ, uᵢ of each proportion:
//
//	p₁ − p₂ − √((p₁−l₁)² + (u₂−p₂)²)  to  p₁ − p₂ + √((u₁−p₁)² + (p₂−l₂)²)
//
// which agrees with statsmodels' confint_proportions_2indep(method="newcomb"). Special cases are the same as for
// [Wilson], in either sample.
func RiskDifference(k1, n1, k2, n2 int, opts ...Option) Effect {
	s := resolve(opts, false)
	return proportionDifference(proportionWilson(k1, n1, s.level), proportionWilson(k2, n2, s.level), 0)
}

// RiskDifferencePaired returns the difference (b−c)/n of two proportions in the same n trials. The arguments count the
// trials in which both succeed, only the first, only the second, and neither. The interval is Newcombe's (1998b, method
// 10). It extends the interval of [RiskDifference] by the correlation φ̂ of the outcomes,
//
//	p₁ − p₂ − √((p₁−l₁)² − 2φ̂(p₁−l₁)(u₂−p₂) + (u₂−p₂)²)  to  p₁ − p₂ + √((u₁−p₁)² − 2φ̂(u₁−p₁)(p₂−l₂) + (p₂−l₂)²)
//
// where φ̂ is continuity-corrected: its numerator is max(A − n/2, 0) if A = both·neither − bc is positive. A negative
// count gives NaN. The other special cases are the same as for [Wilson].
func RiskDifferencePaired(both, b, c, neither int, opts ...Option) Effect {
	s := resolve(opts, false)
	if min(both, b, c, neither) < 0 {
		return bare("risk difference", math.NaN())
	}
	n := both + b + c + neither
	first, second := proportionWilson(both+b, n, s.level), proportionWilson(both+c, n, s.level)
	e := proportionDifference(first, second, proportionPhi(both, b, c, neither))
	// One division rounds once; a difference of two proportions would round twice.
	e.Value = float64(b-c) / float64(n)
	return e
}

// proportionDifference returns the difference of two estimates and its interval from their Wilson intervals. phi is the
// correlation of the estimates.
func proportionDifference(first, second Effect, phi float64) Effect {
	e := bare("risk difference", first.Value-second.Value)
	down1, up1 := first.Value-first.Lo, first.Hi-first.Value
	down2, up2 := second.Value-second.Lo, second.Hi-second.Value
	e.Lo = e.Value - proportionSide(down1, up2, phi)
	e.Hi = e.Value + proportionSide(up1, down2, phi)
	e.Level = first.Level
	return e
}

// proportionSide returns √(g² − 2φgh + h²).
func proportionSide(g, h, phi float64) float64 {
	return math.Sqrt(float64(g*g) - float64(2*phi*g*h) + float64(h*h))
}

// proportionPhi returns the continuity-corrected φ coefficient of a 2×2 table, or 0 if a margin is empty.
func proportionPhi(both, b, c, neither int) float64 {
	d1, d2, d3, d4 := float64(both), float64(b), float64(c), float64(neither)
	margins := (d1 + d2) * (d3 + d4) * (d1 + d3) * (d2 + d4)
	if margins == 0 {
		return 0
	}
	a := float64(d1*d4) - float64(d2*d3)
	if a > 0 {
		a = max(a-(d1+d2+d3+d4)/2, 0)
	}
	return a / math.Sqrt(margins)
}

// proportionWilson returns k/n with its Wilson interval.
func proportionWilson(k, n int, level float64) Effect {
	if n <= 0 || k < 0 || k > n || !isConfidence(level) {
		return bare("proportion", math.NaN())
	}
	e := Effect{Name: "proportion", Value: float64(k) / float64(n), Level: level}
	e.Lo, e.Hi = wilsonLimits(k, n, level)
	return e
}

func wilsonLimits(k, n int, level float64) (lo, hi float64) {
	z := normalQuantile((1 - level) / 2)
	successes, trials := float64(k), float64(n)
	square := float64(z * z)
	half := float64(z * math.Sqrt(successes*float64(n-k)/trials+square/4))
	lo, hi = 0, 1
	// At 0 and n successes, the limits are exactly 0 and 1, which the formula misses by rounding.
	if k > 0 {
		lo = (successes + square/2 - half) / (trials + square)
	}
	if k < n {
		hi = (successes + square/2 + half) / (trials + square)
	}
	return lo, hi
}
