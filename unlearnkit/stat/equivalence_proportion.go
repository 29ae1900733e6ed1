package stat

import "math"

// RiskDifferenceVariance selects how [TOSTProportions] estimates the variance of the difference.
type RiskDifferenceVariance uint8

const (
	// ScoreVariance uses the variance at the most likely proportions whose difference is the tested margin. It is the
	// default for two reasons. It is not zero if all trials have the same outcome, which is common after unlearning.
	// Its size is closest to nominal: for the true proportions .12 and .02, the margin .1 and 50 trials each, it
	// rejects with probability .046 at α = .05; Agresti–Caffo rejects with .062 and Wald with .076.
	ScoreVariance RiskDifferenceVariance = iota
	// AgrestiCaffoVariance adds one success and one failure to each sample (Agresti and Caffo 2000). It is statsmodels'
	// default.
	AgrestiCaffoVariance
	// WaldVariance uses the variance at the observed proportions. The test then rejects too often in small samples.
	WaldVariance
)

func (RiskDifferenceVariance) option() {}

// TOSTProportions tests whether the difference k₁/n₁ − k₂/n₂ of two independent proportions is between low and high, by
// two one-sided tests of the normal statistic
//
//	z = (p̂₁ − p̂₂ − margin) / √(p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂)
//
// where the [RiskDifferenceVariance] option determines p₁ and p₂. The default, [ScoreVariance], uses Farrington and
// Manning's (1990) maximum-likelihood estimates under p₁ − p₂ = margin. It multiplies the variance by N/(N−1) as
// Miettinen and Nurminen (1985) do, unless [Correction](false) is given. The interval inverts the same test. The other
// two variances agree with statsmodels' tost_proportions_2indep with the methods "agresti-caffo" and "wald". Its method
// "score", as of version 0.15.0, has a wrong term in the cubic of the estimates and gives other numbers.
// TOSTProportions ignores an [Alternative].
//
// Special cases are:
//
//	n₁ = 0 or n₂ = 0                                 →  P = NaN with WarnEmpty
//	k < 0, k > n, or margins not −1 < low < high < 1  →  P = NaN with WarnBadParameter
//	Level ≤ 1/2 or ≥ 1                               →  no interval, WarnBadParameter
//	Wald and all trials of each sample alike         →  P is 0 inside the margins, ½ on one, 1 outside, with
//	                                                    WarnNoVariance
func TOSTProportions(k1, n1, k2, n2 int, low, high float64, opts ...Option) TOSTResult {
	s := resolve(opts, true)
	base := Result{N: n1 + n2, Effect: bare("risk difference", math.NaN()), Method: Asymptotic}
	switch {
	case min(k1, n1-k1, k2, n2-k2) < 0 || !(low > -1 && high < 1):
		base.Warnings |= WarnBadParameter
	case n1 == 0 || n2 == 0:
		base.Warnings |= WarnEmpty
	}
	r := equivalenceResult("tost-proportions", base, low, high)
	r.DF = math.Inf(1)
	if r.Warnings != 0 {
		return r
	}
	c := equivalenceCounts{float64(k1), float64(n1), float64(k2), float64(n2)}
	z := c.statistic(s.variance, s.correction)
	if s.variance == WaldVariance && c.wald() == 0 {
		r.Warnings |= WarnNoVariance
	}
	r.Effect.Value = c.k1/c.n1 - c.k2/c.n2
	if level := 2*s.level - 1; isConfidence(level) {
		quantile := normalQuantile(1 - s.level)
		r.Effect.Lo = equivalenceRoot(z, quantile)
		r.Effect.Hi = equivalenceRoot(z, -quantile)
		r.Effect.Level = level
	} else {
		r.Warnings |= WarnBadParameter
	}
	r.AboveLow.Effect, r.AboveLow.Warnings = r.Effect, r.Warnings
	r.BelowHigh.Effect, r.BelowHigh.Warnings = r.Effect, r.Warnings
	r.AboveLow.Statistic, r.BelowHigh.Statistic = z(low), z(high)
	r.AboveLow.P = normalSF(r.AboveLow.Statistic)
	r.BelowHigh.P = normalCDF(r.BelowHigh.Statistic)
	return r.finish()
}

// equivalenceCounts holds the successes and trials of two samples.
type equivalenceCounts struct{ k1, n1, k2, n2 float64 }

// statistic returns z as a function of the margin. z decreases as the margin increases.
func (c equivalenceCounts) statistic(variance RiskDifferenceVariance, correction bool) func(margin float64) float64 {
	if variance == ScoreVariance {
		factor := 1.
		if correction {
			factor = (c.n1 + c.n2) / (c.n1 + c.n2 - 1)
		}
		return func(margin float64) float64 {
			return equivalenceRatio(c.k1/c.n1-c.k2/c.n2-margin, factor*c.restricted(margin))
		}
	}
	if variance == AgrestiCaffoVariance {
		c = equivalenceCounts{c.k1 + 1, c.n1 + 2, c.k2 + 1, c.n2 + 2}
	}
	difference, squared := c.k1/c.n1-c.k2/c.n2, c.wald()
	return func(margin float64) float64 { return equivalenceRatio(difference-margin, squared) }
}

// equivalenceRatio returns d/√squared, or 0 if d = 0 even if squared is zero.
func equivalenceRatio(d, squared float64) float64 {
	if d == 0 {
		return 0
	}
	return d / math.Sqrt(squared)
}

// wald returns the variance of p̂₁ − p̂₂ at the observed proportions.
func (c equivalenceCounts) wald() float64 {
	return c.k1/c.n1*((c.n1-c.k1)/c.n1)/c.n1 + c.k2/c.n2*((c.n2-c.k2)/c.n2)/c.n2
}

// restricted returns the variance of p̂₁ − p̂₂ at the maximum-likelihood estimates under p₁ − p₂ = margin. The
// derivative of the log-likelihood decreases as p₂ increases. Bisection finds its root, even where the closed-form
// solution of the cubic loses digits.
func (c equivalenceCounts) restricted(margin float64) float64 {
	slope := func(p2 float64) float64 {
		p1 := p2 + margin
		return equivalenceTerm(c.k1, p1) - equivalenceTerm(c.n1-c.k1, 1-p1) +
			equivalenceTerm(c.k2, p2) - equivalenceTerm(c.n2-c.k2, 1-p2)
	}
	p2 := bisect(slope, max(0, -margin), min(1, 1-margin))
	p1 := max(0, min(1, p2+margin))
	return p1*(1-p1)/c.n1 + p2*(1-p2)/c.n2
}

// equivalenceTerm returns k/p, or 0 if k = 0 even if p is zero.
func equivalenceTerm(k, p float64) float64 {
	if k == 0 {
		return 0
	}
	return k / p
}

// equivalenceRoot returns the margin between −1 and 1 at which z equals the given value.
func equivalenceRoot(z func(float64) float64, value float64) float64 {
	return bisect(func(margin float64) float64 { return z(margin) - value }, -1, 1)
}
