package stat

import "math"

// MannWhitneyResult is the result of a Mann-Whitney test. Statistic is U1.
type MannWhitneyResult struct {
	Result
	N1, N2 int     // sizes of the samples
	U1, U2 float64 // number of pairs (xᵢ, yⱼ) with xᵢ > yⱼ, and with xᵢ < yⱼ; equal pairs add ½ to both
	Ties   int     // number of groups of equal values in both samples together
	// standardised U1, with the continuity correction unless it is switched off; positive if x tends to be larger
	Z              float64
	CommonLanguage float64 // U1/(n1 n2), an estimate of P(x > y) + ½ P(x = y)
}

// mannWhitneyAuto is the largest size of the smaller sample for which Auto is exact if there are no ties.
const mannWhitneyAuto = 8

// MannWhitney performs the Mann-Whitney U test, also known as the Wilcoxon rank-sum test, on independent samples x and
// y. The null hypothesis is that the two distributions are equal; Greater means that x tends to be larger.
//
// U1 = R1 − n1(n1+1)/2, where R1 is the rank sum of x among all n = n1 + n2 values. The normal approximation, over tied
// groups of size t, is
//
//	z = (U1 − n1n2/2 ∓ ½) / sqrt(n1n2/12 · (n + 1 − Σ(t³−t)/(n(n−1))))
//
// where the ½ towards the mean is the continuity correction, on unless Correction(false) is given.
//
// Auto follows scipy.stats.mannwhitneyu: exact if the smaller sample has at most 8 values and there are no ties,
// asymptotic otherwise. Exact uses the distribution of U1 over all C(n, n1) splits of the observed values, including
// ties. If this distribution is not symmetric, the two-sided p-value is twice the smaller tail. If the computation
// would take too long, the p-value is asymptotic, with WarnFellBack. (If there are ties, scipy's "exact" method uses
// the distribution without ties.) An asymptotic p-value has WarnSmallSample if a sample has at most 8 values.
//
// The effect is Cliff's delta, 2U1/(n1n2) − 1 = P(x > y) − P(x < y), also known as the rank-biserial correlation.
//
// Special cases are:
//
//	an empty sample, NaN  →  P = NaN with WarnEmpty, WarnNaN
//	all values equal      →  P = 1 and Z = 0 with WarnAllTied
func MannWhitney(x, y []float64, opts ...Option) MannWhitneyResult {
	s := resolve(opts, true)
	r := MannWhitneyResult{
		Result: Result{Test: "mannwhitney", Alternative: s.alternative, N: len(x) + len(y),
			Method: s.rankMethodOr(Asymptotic)},
		N1: len(x), N2: len(y),
	}
	xs, ys, warnings := rankPooled(x, y, s.scratch)
	if r.Warnings = warnings; r.Warnings != 0 {
		nan := math.NaN()
		r.Statistic, r.P, r.U1, r.U2, r.Z, r.CommonLanguage, r.Effect = nan, nan, nan, nan, nan, nan,
			bare("Cliff's delta", nan)
		return r
	}
	groups := rankSumGroups{xs: xs, ys: ys}
	total := groups.sum()
	product := float64(len(x)) * float64(len(y))
	r.Ties = total.ties
	r.U1 = float64(total.doubledU) / 2
	r.U2 = product - r.U1
	r.Statistic, r.CommonLanguage = r.U1, r.U1/product
	r.Effect = bare("Cliff's delta", (r.U1-r.U2)/product)
	if r.Ties > 0 {
		r.Warnings |= WarnTies
	}
	if total.groups == 1 && r.N > 1 {
		r.Warnings |= WarnAllTied
		r.P, r.Method = 1, Exact
		return r
	}
	n := float64(r.N)
	r.Z = rankStandardise(r.U1-product/2, math.Sqrt(product/12*(n+1-total.tieSum/(n*(n-1)))), s)
	auto := Asymptotic
	if min(r.N1, r.N2) <= mannWhitneyAuto && r.Ties == 0 {
		auto = Exact
	}
	r.Method = s.rankMethodOr(auto)
	r.finish(groups, s)
	return r
}

// finish computes the p-value.
func (r *MannWhitneyResult) finish(groups rankSumGroups, s settings) {
	if r.Method == Exact {
		if p, ok := groups.exact(*r, s); ok {
			r.P = p
			return
		}
		r.Warnings |= WarnFellBack
		r.Method = Asymptotic
	}
	if min(r.N1, r.N2) <= mannWhitneyAuto {
		r.Warnings |= WarnSmallSample
	}
	r.P = normalP(r.Z, s.alternative)
}

// rankSumGroups iterates over the distinct values of two sorted samples.
type rankSumGroups struct {
	xs, ys []uint64
	i, j   int
}

// next returns how many values of each sample equal the next distinct value. Both numbers are 0 at the end.
func (g *rankSumGroups) next() (inX, inY int) {
	i, j := g.i, g.j
	switch {
	case i == len(g.xs) && j == len(g.ys):
		return 0, 0
	case j == len(g.ys) || i < len(g.xs) && g.xs[i] < g.ys[j]:
		g.i = rankGroupEnd(g.xs, i)
	case i == len(g.xs) || g.ys[j] < g.xs[i]:
		g.j = rankGroupEnd(g.ys, j)
	default:
		g.i, g.j = rankGroupEnd(g.xs, i), rankGroupEnd(g.ys, j)
	}
	return g.i - i, g.j - j
}

// rankSumTotal holds the sums for the asymptotic test.
type rankSumTotal struct {
	doubledU     int64 // 2·U1
	groups, ties int   // number of distinct values, and of distinct values that occur more than once
	tieSum       float64
}

// sum computes the sums for the asymptotic test. It does not advance g.
func (g rankSumGroups) sum() rankSumTotal {
	var t rankSumTotal
	for {
		below := g.j
		inX, inY := g.next()
		size := inX + inY
		if size == 0 {
			return t
		}
		t.doubledU += int64(inX) * int64(2*below+inY)
		t.groups++
		if size > 1 {
			t.ties++
			t.tieSum += rankTieTerm(size)
		}
	}
}
