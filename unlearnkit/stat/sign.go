package stat

import "math"

// SignResult is the result of a sign test. Statistic is (Positive − Negative)/2.
type SignResult struct {
	Result
	Positive, Negative, Zeros int // number of differences of each sign
}

// Sign performs the sign test on the paired samples x and y. The null hypothesis is that positive and negative
// differences x − y are equally likely. Greater means that x tends to be larger. Zero differences are dropped.
//
// The p-value is exact. The number of positive differences is binomial with probability ½, and the two-sided p-value is
// twice the smaller tail, as in statsmodels' sign_test and R's binom.test. The effect is the dominance (Positive −
// Negative)/(number of pairs).
//
// Special cases are:
//
//	no pairs, NaN, Inf − Inf  →  P = NaN with WarnEmpty, WarnNaN, WarnInf
//	all differences zero      →  P = 1 with WarnAllTied
//	len(x) != len(y)          →  panic("stat: slice length mismatch")
func Sign(x, y []float64, opts ...Option) SignResult {
	mustMatch(len(x), len(y))
	s := resolve(opts, false)
	r := SignResult{Result: Result{Test: "sign", Alternative: s.alternative, Method: Exact}}
	for i := range x {
		switch {
		case x[i] > y[i]:
			r.Positive++
		case x[i] < y[i]:
			r.Negative++
		case math.IsNaN(x[i]) || math.IsNaN(y[i]):
			r.Warnings |= WarnNaN
		case math.IsInf(x[i], 0):
			r.Warnings |= WarnInf
		default:
			r.Zeros++
		}
	}
	r.N = r.Positive + r.Negative
	if len(x) == 0 {
		r.Warnings |= WarnEmpty
	}
	if r.Warnings != 0 {
		r.Statistic, r.P, r.Effect = math.NaN(), math.NaN(), bare("dominance", math.NaN())
		return r
	}
	r.Statistic = float64(r.Positive-r.Negative) / 2
	r.Effect = bare("dominance", float64(r.Positive-r.Negative)/float64(len(x)))
	if r.Zeros > 0 {
		r.Warnings |= WarnZeros
	}
	if r.N == 0 {
		r.Warnings |= WarnAllTied
	}
	r.P = fairCoinP(r.Positive, r.N, s.alternative)
	return r
}
