package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// KSResult is the result of a Kolmogorov-Smirnov test. Statistic is D, D⁺ or D⁻ for the alternatives TwoSided, Greater
// and Less.
type KSResult struct {
	Result
	N1, N2   int     // sizes of the samples; N2 is 0 if a sample is compared with a distribution
	Location float64 // smallest value at which the distribution functions differ by Statistic
	Sign     int     // +1 if the first distribution function is larger at Location, −1 otherwise
}

// ks2AutoSize is the largest size of the larger sample for which Auto is exact.
const ks2AutoSize = 10_000

// KS2 performs the two-sample Kolmogorov-Smirnov test on independent samples x and y with the statistic
//
//	D = max_z |F1(z) − F2(z)|
//
// where F1 and F2 are the empirical distribution functions. As in scipy and R, the alternatives refer to these
// functions: Greater is D⁺ = max (F1 − F2), so that a small p-value means that values of x tend to be smaller, and Less
// is D⁻ = max (F2 − F1).
//
// Auto follows scipy.stats.ks_2samp: exact if the larger sample has at most 10,000 values, asymptotic otherwise; see
// [KS2P] for both. If there are ties, the exact p-value ignores them, which is conservative. With TieAware(true), it is
// conditional on the observed ties.
//
// The effect is the signed difference F1 − F2 at Location.
//
// Special cases are:
//
//	an empty sample, NaN            →  P = NaN with WarnEmpty, WarnNaN
//	one against one, asymptotically →  P = NaN with WarnTooFew, because n1n2/(n1+n2) rounds to 0
func KS2(x, y []float64, opts ...Option) KSResult {
	s := resolve(opts, false)
	r := KSResult{
		Result: Result{Test: "ks", Alternative: s.alternative, N: len(x) + len(y), Method: s.rankMethodOr(Asymptotic)},
		N1:     len(x), N2: len(y),
	}
	xs, ys, warnings := rankPooled(x, y, s.scratch)
	if r.Warnings = warnings; r.Warnings != 0 {
		return r.undefined()
	}
	groups := rankSumGroups{xs: xs, ys: ys}
	steps, tied := r.distance(groups, s.alternative)
	if tied {
		r.Warnings |= WarnTies
	}
	r.Effect = bare("F1 − F2", float64(r.Sign)*r.Statistic)
	if s.tieAware && tied && s.method != Asymptotic && (s.method == Exact || max(r.N1, r.N2) <= ks2AutoSize) {
		if p, ok := tieAwareP(groups, steps, s); ok {
			r.P, r.Method = p, Exact
			return r
		}
	}
	var fellBack bool
	r.P, r.Method, fellBack = ks2P(r.Statistic, r.N1, r.N2, s)
	if fellBack {
		r.Warnings |= WarnFellBack
	}
	if math.IsNaN(r.P) {
		r.Warnings |= WarnTooFew
	}
	return r
}

// undefined returns r with all its numbers set to NaN.
func (r KSResult) undefined() KSResult {
	nan := math.NaN()
	r.Statistic, r.P, r.Location, r.Effect = nan, nan, nan, bare("F1 − F2", nan)
	return r
}

// distance sets Statistic, Location and Sign. It returns the statistic times n1·n2, which is an integer, and whether
// there are ties.
func (r *KSResult) distance(groups rankSumGroups, a Alternative) (steps int, tied bool) {
	above, below := 0, 0 // largest (F1−F2)·n1·n2 and (F2−F1)·n1·n2
	atAbove, atBelow := groups.largest(), groups.largest()
	for {
		inX, inY := groups.next()
		if inX+inY == 0 {
			break
		}
		tied = tied || inX+inY > 1
		difference := groups.i*r.N2 - groups.j*r.N1
		if difference > above {
			above, atAbove = difference, groups.last(inX)
		}
		if -difference > below {
			below, atBelow = -difference, groups.last(inX)
		}
	}
	if a == Less || a == TwoSided && below > above {
		steps, r.Location, r.Sign = below, rankValue(atBelow), -1
	} else {
		steps, r.Location, r.Sign = above, rankValue(atAbove), 1
	}
	r.Statistic = float64(steps) / (float64(r.N1) * float64(r.N2))
	return steps, tied
}

// largest returns the largest value of both samples, where both distribution functions are 1.
func (g *rankSumGroups) largest() uint64 { return max(g.xs[len(g.xs)-1], g.ys[len(g.ys)-1]) }

// last returns the value that next has just passed. inX is its count in the first sample.
func (g *rankSumGroups) last(inX int) uint64 {
	if inX > 0 {
		return g.xs[g.i-1]
	}
	return g.ys[g.j-1]
}

// KS2P returns the p-value of a two-sample Kolmogorov-Smirnov statistic d for sample sizes n1 and n2, for example of a
// printed statistic.
//
// Exact is the probability that a random lattice path from (0, 0) to (n1, n2) leaves the band |x/n1 − y/n2| < d, or the
// half plane for one-sided alternatives. d is rounded to the nearest value that the statistic can take. Asymptotic is,
// for two sides, the exact law of one sample of n = n1n2/(n1+n2) values, rounded (see [KolmogorovSF]). For one side it
// is Hodges' (1958) formula 5.3,
//
//	p = exp(−2z² − 2z(m + 2k)/(3 sqrt(mk(m+k)))),  z = d sqrt(mk/(m+k)),  m ≥ k the sizes.
//
// Auto is exact if both sizes are at most 10,000, but like scipy asymptotic for a one-sided test of unequal sizes for
// which C(n1+n2, n1) exceeds the largest float. Exact also falls back to the asymptotic p-value if the least common
// multiple of the sizes exceeds 2³¹, as in scipy, or if the band holds more than 4·10⁹ points.
//
// Special cases are:
//
//	d ≤ 0             →  1
//	d > 1             →  0
//	NaN, n1 or n2 < 1 →  NaN, as is the asymptotic p-value of one against one
func KS2P(d float64, n1, n2 int, opts ...Option) float64 {
	p, _, _ := ks2P(d, n1, n2, resolve(opts, false))
	return p
}

// ks2P returns the p-value of KS2P, the method used, and whether it is asymptotic because the exact method failed.
func ks2P(d float64, n1, n2 int, s settings) (p float64, used Method, fellBack bool) {
	if math.IsNaN(d) || n1 < 1 || n2 < 1 {
		return math.NaN(), Asymptotic, false
	}
	m, n := max(n1, n2), min(n1, n2)
	if s.rankMethodOr(ks2Auto(m, n, s.alternative)) == Exact {
		if p, ok := latticeP(d, m, n, s); ok {
			return p, Exact, false
		}
		fellBack = true
	}
	return ks2AsymptoticP(d, float64(m), float64(n), s.alternative), Asymptotic, fellBack
}

// ks2Auto returns the method that scipy.stats.ks_2samp uses for sizes m ≥ n.
func ks2Auto(m, n int, a Alternative) Method {
	if m > ks2AutoSize {
		return Asymptotic
	}
	if a != TwoSided && m != n {
		splits := 1.
		for i := 1; i <= n; i++ {
			splits *= float64(m+i) / float64(i)
		}
		if math.IsInf(splits, 1) {
			return Asymptotic
		}
	}
	return Exact
}

func ks2AsymptoticP(d, m, n float64, a Alternative) float64 {
	effective := m * n / (m + n)
	if a == TwoSided {
		return KolmogorovSF(d, int(math.RoundToEven(effective)))
	}
	z := math.Sqrt(effective) * math.Max(d, 0)
	return vectorstate.Exp(-2*z*z - 2*z*(m+2*n)/math.Sqrt(m*n*(m+n))/3)
}
