package stat

import "math"

// MidP switches [McNemar]'s exact p-value to the mid-p-value, which counts half of the observed outcome's probability.
// It is off by default.
type MidP bool

func (MidP) option() {}

// McNemarResult is the result of McNemar's test. Statistic is min(b, c) for the exact test and χ² for the asymptotic
// test.
type McNemarResult struct {
	Result
	B, C  int // number of pairs in which only the first succeeds, and in which only the second succeeds
	Pairs int // number of all pairs; 0 if only the discordant pairs are known
	// conditional odds ratio b/c; if a Level is given, with its exact interval, which is one-sided if the alternative
	// is
	OddsRatio Effect
	// (b−c)/Pairs with Newcombe's two-sided interval; NaN if only the discordant pairs are known
	RiskDifference Effect
}

// McNemar performs McNemar's test on b discordant pairs of one kind and c of the other. The null hypothesis is that
// both kinds are equally likely.
//
// The test is exact unless [Asymptotic] is given,
//
//	P = min(1, 2 P(X ≤ min(b, c))),  X binomial(b+c, 1/2);
//
// the asymptotic statistic is χ² = (|b−c| − 1)²/(b+c), with [Correction](false) (b−c)²/(b+c). Both agree with
// statsmodels' mcnemar. The [Alternative] Greater is b > c. One-sided asymptotic p-values use z = (b−c∓1)/√(b+c).
// [MidP](true) makes the exact test less conservative (Fagerland, Lydersen and Laake 2013). N is b+c, and the effect is
// the odds ratio. The interval of the odds ratio takes five times as long as the test, so it is computed only if a
// [Level] is given.
//
// Special cases are:
//
//	b + c = 0             →  P = 1 with WarnAllTied
//	b < 0 or c < 0        →  P = NaN with WarnBadParameter
//	asymptotic, b+c < 25  →  WarnSmallSample
func McNemar(b, c int, opts ...Option) McNemarResult {
	s := resolve(opts, true)
	nan := math.NaN()
	r := McNemarResult{
		Result: Result{Test: "mcnemar", Statistic: nan, P: nan, N: b + c, Effect: bare("odds ratio", nan),
			Alternative: s.alternative, Method: Exact},
		B: b, C: c, OddsRatio: bare("odds ratio", nan), RiskDifference: bare("risk difference", nan),
	}
	if s.method == Asymptotic {
		r.Method = Asymptotic
	}
	switch {
	case b < 0 || c < 0:
		r.Warnings |= WarnBadParameter
		return r
	case b+c == 0:
		r.Statistic, r.P, r.Warnings = 0, 1, WarnAllTied
		return r
	}
	r.OddsRatio = mcnemarOddsRatio(b, c, s)
	r.Effect = r.OddsRatio
	if s.levelGiven && math.IsNaN(r.OddsRatio.Lo) {
		r.Warnings |= WarnBadParameter
	}
	if r.Method == Asymptotic {
		if b+c < 25 {
			r.Warnings |= WarnSmallSample
		}
		r.Statistic, r.P = mcnemarAsymptotic(b, c, s)
		return r
	}
	r.Statistic = float64(min(b, c))
	r.P = mcnemarExact(b, c, s)
	return r
}

// McNemarOutcomes performs [McNemar]'s test on the outcomes of a and b in the same trials. The effect is the risk
// difference: the share of true in a minus the share of true in b.
//
// Special cases are:
//
//	no outcomes       →  P = NaN with WarnEmpty
//	len(a) != len(b)  →  panic("stat: slice length mismatch")
func McNemarOutcomes(a, b []bool, opts ...Option) McNemarResult {
	mustMatch(len(a), len(b))
	var both, first, second, neither int
	for i := range a {
		switch {
		case a[i] && b[i]:
			both++
		case a[i]:
			first++
		case b[i]:
			second++
		default:
			neither++
		}
	}
	r := McNemar(first, second, opts...)
	r.Pairs = len(a)
	r.RiskDifference = RiskDifferencePaired(both, first, second, neither, opts...)
	r.Effect = r.RiskDifference
	if len(a) == 0 {
		r.Statistic, r.P, r.Warnings = math.NaN(), math.NaN(), WarnEmpty
	}
	return r
}

// mcnemarExact returns the exact p-value, or the mid-p-value if the settings ask for it.
func mcnemarExact(b, c int, s settings) float64 {
	p := fairCoinP(b, b+c, s.alternative)
	if !s.midP || s.alternative == TwoSided && b == c {
		return p
	}
	half := float64(b+c) / 2
	observed := binomialMass(b, b+c, half, half)
	if s.alternative == TwoSided {
		return p - observed
	}
	return p - observed/2
}

// mcnemarAsymptotic returns χ² and its p-value.
func mcnemarAsymptotic(b, c int, s settings) (chi2, p float64) {
	diff, root := float64(b-c), math.Sqrt(float64(b+c))
	one := 0.
	if s.correction {
		one = 1
	}
	z := (math.Abs(diff) - one) / root
	switch s.alternative {
	case Less:
		p = normalCDF((diff + one) / root)
	case Greater:
		p = normalSF((diff - one) / root)
	default:
		p = normalP(z, TwoSided)
	}
	return z * z, p
}

// mcnemarOddsRatio returns b/c. If a level was given, it adds the interval π/(1−π) of the Clopper–Pearson limits π for
// b/(b+c).
func mcnemarOddsRatio(b, c int, s settings) Effect {
	if !s.levelGiven {
		return bare("odds ratio", float64(b)/float64(c))
	}
	e := binomialClopperPearson(b, b+c, s)
	e.Name, e.Value = "odds ratio", float64(b)/float64(c)
	e.Lo, e.Hi = e.Lo/(1-e.Lo), e.Hi/(1-e.Hi)
	return e
}
