package stat

import "math"

// TTestResult is the result of a t test. Statistic is T.
type TTestResult struct {
	Result
	T  float64 // t statistic
	DF float64 // degrees of freedom
	SE float64 // standard error of Mean
	// mean of x in a one-sample test, otherwise the mean difference; its confidence interval is one-sided if the
	// alternative is
	Mean Effect
}

// TTestPaired performs the paired t test of the differences dᵢ = xᵢ − yᵢ,
//
//	t = mean(d) / (s_d / √n),  ν = n − 1,  P = I_{ν/(ν+t²)}(ν/2, 1/2)
//
// where P is two-sided. It agrees with scipy.stats.ttest_rel. The effect is Cohen's d_z = mean(d) / s_d.
//
// Special cases are:
//
//	all differences equal c ≠ 0  →  T = ±Inf with WarnNoVariance; P = 0 unless the alternative points the other way
//	all differences zero         →  T, P = NaN with WarnNoVariance | WarnAllTied
//	one pair, no pairs           →  P = NaN with WarnTooFew, WarnEmpty
//	a value NaN, ±Inf            →  P = NaN with WarnNaN, WarnInf
//	Level outside (0, 1)         →  no interval, WarnBadParameter
//	len(x) != len(y)             →  panic("stat: slice length mismatch")
func TTestPaired(x, y []float64, opts ...Option) TTestResult {
	s := resolve(opts, false)
	r := ttestDifferences("ttest-paired", differences(x, y, s.scratch), unfitForMean(x)|unfitForMean(y), s)
	r.Effect.Name = "Cohen's d_z"
	return r
}

// TTest1 performs the one-sample t test of the mean of x against mu,
//
//	t = (mean(x) − mu) / (s_x / √n),  ν = n − 1,
//
// which agrees with scipy.stats.ttest_1samp. The effect is Cohen's d = (mean(x) − mu) / s_x. Special cases are the same
// as for [TTestPaired] with the differences x − mu. If mu is not finite, P is NaN with WarnBadParameter.
func TTest1(x []float64, mu float64, opts ...Option) TTestResult {
	s := resolve(opts, false)
	warnings := unfitForMean(x)
	if math.IsNaN(mu) || math.IsInf(mu, 0) {
		warnings |= WarnBadParameter
	}
	d := s.scratch.floatsOf(len(x))
	for i := range d {
		d[i] = x[i] - mu
	}
	r := ttestDifferences("ttest-1", d, warnings, s)
	r.Mean.Name = "mean"
	r.Mean.Value, r.Mean.Lo, r.Mean.Hi = r.Mean.Value+mu, r.Mean.Lo+mu, r.Mean.Hi+mu
	return r
}

// TTestInd performs Student's t test of two independent samples with a common variance,
//
//	t = (mean(x) − mean(y)) / (s √(1/n₁ + 1/n₂)),  s² = ((n₁−1)s₁² + (n₂−1)s₂²) / ν,  ν = n₁ + n₂ − 2,
//
// which agrees with scipy.stats.ttest_ind. The effect is Cohen's d = (mean(x) − mean(y)) / s. One of the samples may
// have a single value. The other special cases are the same as for [TTestPaired].
func TTestInd(x, y []float64, opts ...Option) TTestResult {
	s := resolve(opts, false)
	r, mx, my, scale, ok := ttestTwo("ttest-ind", x, y, 1, s)
	if !ok {
		return r
	}
	n1, n2 := float64(mx.n), float64(my.n)
	pooled := pooledVariance(mx, my)
	r.Effect.Value = (mx.mean - my.mean) / math.Sqrt(pooled)
	return r.finish(mx.mean-my.mean, pooled*(1/n1+1/n2), n1+n2-2, scale, s)
}

// Welch performs Welch's t test of two independent samples whose variances may differ,
//
//	t = (mean(x) − mean(y)) / √(v₁+v₂),  vᵢ = sᵢ²/nᵢ,  ν = (v₁+v₂)² / (v₁²/(n₁−1) + v₂²/(n₂−1)),
//
// which agrees with scipy.stats.ttest_ind(equal_var=False). The effect is Cohen's d with the pooled standard deviation,
// as for [TTestInd]. Each sample needs two values. The other special cases are the same as for [TTestPaired].
func Welch(x, y []float64, opts ...Option) TTestResult {
	s := resolve(opts, false)
	r, mx, my, scale, ok := ttestTwo("welch", x, y, 2, s)
	if !ok {
		return r
	}
	r.Method = Asymptotic
	v1, v2 := mx.variance()/float64(mx.n), my.variance()/float64(my.n)
	// Dividing before squaring prevents underflow.
	share1, share2 := v1/(v1+v2), v2/(v1+v2)
	df := 1 / (share1*share1/float64(mx.n-1) + share2*share2/float64(my.n-1))
	if v1+v2 == 0 {
		df = float64(mx.n + my.n - 2)
	}
	r.Effect.Value = (mx.mean - my.mean) / math.Sqrt(pooledVariance(mx, my))
	return r.finish(mx.mean-my.mean, v1+v2, df, scale, s)
}

// ttestResult returns a result in which every number is NaN.
func ttestResult(test string, n int, s settings) TTestResult {
	nan := math.NaN()
	return TTestResult{
		Result: Result{Test: test, Statistic: nan, P: nan, N: n, Alternative: s.alternative, Method: Exact,
			Effect: bare("Cohen's d", nan)},
		T: nan, DF: nan, SE: nan,
		Mean: bare("mean difference", nan),
	}
}

// ttestDifferences tests whether the mean of d is zero. warnings are the warnings about the data that d comes from.
func ttestDifferences(test string, d []float64, warnings Warning, s settings) TTestResult {
	r := ttestResult(test, len(d), s)
	r.Warnings = warnings | tooFew(len(d), 2)
	if r.Warnings == 0 {
		r.Warnings = unfitForMean(d) // the difference of two finite values may overflow
	}
	if r.Warnings != 0 {
		return r
	}
	scale := momentScale(d)
	m := momentsOf(d, scale)
	r.Effect.Value = m.mean / math.Sqrt(m.variance())
	return r.finish(m.mean, m.variance()/float64(m.n), float64(m.n-1), scale, s)
}

// ttestTwo computes the moments of two independent samples. Each sample needs at least as many values as each says, and
// both together need three. ok is false if the result is undefined.
func ttestTwo(test string, x, y []float64, each int, s settings) (r TTestResult, mx, my moments, scale float64,
	ok bool) {
	r = ttestResult(test, len(x)+len(y), s)
	r.Warnings = unfitForMean(x) | unfitForMean(y) | tooFew(min(len(x), len(y)), each) | tooFew(len(x)+len(y), 3)
	if r.Warnings != 0 {
		return r, mx, my, 1, false
	}
	scale = max(momentScale(x), momentScale(y))
	return r, momentsOf(x, scale), momentsOf(y, scale), scale, true
}

// finish completes the result from a mean, its squared standard error and the degrees of freedom. The mean and the
// standard error are divided by scale.
func (r TTestResult) finish(mean, squared, df, scale float64, s settings) TTestResult {
	se := math.Sqrt(squared)
	r.DF, r.SE = df, se*scale
	r.T = mean / se
	if se == 0 {
		r.Warnings |= WarnNoVariance
		if mean == 0 {
			r.Warnings |= WarnAllTied
		}
	}
	r.Statistic = r.T
	r.P = studentP(r.T, df, s.alternative)
	r.Mean.Value = mean * scale
	if !s.validLevel() {
		r.Warnings |= WarnBadParameter
		return r
	}
	half := float64(studentQuantile(s.alternative.outside(s.level), df) * se)
	r.Mean.Lo, r.Mean.Hi = s.alternative.open((mean-half)*scale, (mean+half)*scale)
	r.Mean.Level = s.level
	return r
}
