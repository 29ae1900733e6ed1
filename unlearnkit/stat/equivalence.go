package stat

import "math"

// TOSTResult is the result of two one-sided tests of equivalence. P is the larger p-value, and Statistic is the
// statistic of that test. The effect is the difference with its 1−2α interval, where α = 1 − [Level]. The samples are
// equivalent at level α if the interval is inside the margins.
type TOSTResult struct {
	Result
	Low, High float64 // the margins
	DF        float64 // degrees of freedom; +Inf for a normal statistic
	AboveLow  Result  // test of the null hypothesis that the difference is at most Low
	BelowHigh Result  // test of the null hypothesis that the difference is at least High
}

// Equivalent reports whether both one-sided tests reject at level alpha. The difference is then shown to be between the
// margins.
func (r TOSTResult) Equivalent(alpha float64) bool { return r.P <= alpha }

// TOSTPaired tests whether the mean of the differences xᵢ − yᵢ is between low and high, by two one-sided paired t tests
// (Schuirmann 1987),
//
//	t_low = (mean(d) − low) / SE,  t_high = (mean(d) − high) / SE,  P = max(P(T ≥ t_low), P(T ≤ t_high)),
//
// which agrees with statsmodels' ttost_paired. It ignores an [Alternative].
//
// Special cases are:
//
//	low ≥ high, NaN or infinite margins  →  P = NaN with WarnBadParameter
//	Level ≤ 1/2 or ≥ 1                   →  no interval, WarnBadParameter
//	otherwise                            →  as TTestPaired; with no variance P is 0 inside the margins, ½ on one,
//	                                        1 outside
func TOSTPaired(x, y []float64, low, high float64, opts ...Option) TOSTResult {
	s := resolve(opts, false)
	// A nil *Scratch is a valid option.
	t := TTestPaired(x, y, equivalenceLevel(s), s.scratch)
	return equivalenceOfMeans("tost-paired", t, low, high)
}

// TOSTWelch tests whether the difference of the means of two independent samples is between low and high, by two
// one-sided Welch tests. It agrees with statsmodels' ttost_ind(usevar="unequal"). Formulas and special cases are the
// same as for [TOSTPaired].
func TOSTWelch(x, y []float64, low, high float64, opts ...Option) TOSTResult {
	return equivalenceOfMeans("tost-welch", Welch(x, y, equivalenceLevel(resolve(opts, false))), low, high)
}

// equivalenceLevel returns the level 1−2α of an equivalence test's interval.
func equivalenceLevel(s settings) Level { return Level(2*s.level - 1) }

// equivalenceOfMeans tests the mean difference of a two-sided t test against both margins.
func equivalenceOfMeans(test string, t TTestResult, low, high float64) TOSTResult {
	t.Effect = t.Mean
	r := equivalenceResult(test, t.Result, low, high)
	r.DF = t.DF
	if !equivalenceMargins(low, high) || math.IsNaN(t.SE) {
		return r
	}
	statistic := func(margin float64) float64 {
		if t.Mean.Value == margin {
			return 0 // not NaN if SE is zero
		}
		return (t.Mean.Value - margin) / t.SE
	}
	r.AboveLow.Statistic, r.BelowHigh.Statistic = statistic(low), statistic(high)
	r.AboveLow.P = studentP(r.AboveLow.Statistic, t.DF, Greater)
	r.BelowHigh.P = studentP(r.BelowHigh.Statistic, t.DF, Less)
	return r.finish()
}

// equivalenceMargins reports whether the margins are finite and low is below high.
func equivalenceMargins(low, high float64) bool {
	return low < high && !math.IsInf(low, 0) && !math.IsInf(high, 0)
}

// equivalenceResult returns a result with the sample size, effect and warnings of base. Its other numbers are NaN.
func equivalenceResult(test string, base Result, low, high float64) TOSTResult {
	base.Test, base.Statistic, base.P = test, math.NaN(), math.NaN()
	if !equivalenceMargins(low, high) {
		base.Warnings |= WarnBadParameter
	}
	r := TOSTResult{Result: base, Low: low, High: high, AboveLow: base, BelowHigh: base}
	r.AboveLow.Alternative, r.BelowHigh.Alternative = Greater, Less
	return r
}

// finish sets P to the larger of the two p-values, and Statistic to that test's statistic.
func (r TOSTResult) finish() TOSTResult {
	worse := r.AboveLow
	if r.BelowHigh.P > worse.P {
		worse = r.BelowHigh
	}
	r.P, r.Statistic = worse.P, worse.Statistic
	return r
}
