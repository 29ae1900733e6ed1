package stat

import (
	"math"
	"sort"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// FisherResult is the result of Fisher's exact test. Statistic is OddsRatio. The effect is the conditional odds ratio.
type FisherResult struct {
	Result
	Table     [2][2]int
	OddsRatio float64 // sample odds ratio ad/(bc)
	// conditional maximum-likelihood odds ratio with its exact interval, which is one-sided if the alternative is
	Conditional Effect
}

// Fisher performs Fisher's exact test of independence in the 2×2 table
//
//	a b
//	c d
//
// given its margins, under which a is hypergeometric. [Greater] means an odds ratio above 1. The two-sided p-value is
// the probability of all tables that are at most as likely as this one. A probability larger by a factor of up to
// 1+1e-7 counts as equal, as in R's fisher.test; scipy.stats.fisher_exact allows 1+1e-14. OddsRatio is scipy's
// statistic, and Conditional is R's estimate. Fisher takes on the order of √n steps.
//
// Special cases are:
//
//	an empty table           →  P = NaN with WarnEmpty
//	an empty row or column   →  P = 1, odds ratios NaN, with WarnAllTied
//	a negative count         →  P = NaN with WarnBadParameter
func Fisher(table [2][2]int, opts ...Option) FisherResult {
	s := resolve(opts, false)
	a, b, c, d := table[0][0], table[0][1], table[1][0], table[1][1]
	nan := math.NaN()
	r := FisherResult{
		Result: Result{Test: "fisher", Statistic: nan, P: nan, N: a + b + c + d, Effect: bare("odds ratio", nan),
			Alternative: s.alternative, Method: Exact},
		Table: table, OddsRatio: nan, Conditional: bare("odds ratio", nan),
	}
	switch {
	case min(a, b, c, d) < 0:
		r.Warnings |= WarnBadParameter
		return r
	case r.N == 0:
		r.Warnings |= WarnEmpty
		return r
	case a+b == 0 || c+d == 0 || a+c == 0 || b+d == 0:
		r.P, r.Warnings = 1, WarnAllTied
		return r
	}
	r.OddsRatio = float64(a) / float64(b) * (float64(d) / float64(c))
	if b == 0 || c == 0 {
		r.OddsRatio = math.Inf(1)
	}
	r.Statistic = r.OddsRatio
	h := fisherMargins(table)
	switch s.alternative {
	case Less:
		r.P = h.atMost(a)
	case Greater:
		r.P = fisherMargins(fisherSwapped(table)).atMost(b)
	default:
		r.P = h.noLikelier(a)
	}
	var ok bool
	if r.Conditional, ok = fisherConditional(table, s); !ok {
		r.Warnings |= WarnNotConverged
	}
	if math.IsNaN(r.Conditional.Lo) {
		r.Warnings |= WarnBadParameter
	}
	r.Effect = r.Conditional
	return r
}

// fisherHypergeometric is the distribution of the first cell of a 2×2 table, given the row sums row1 and row2 and the
// sum column of the first column.
type fisherHypergeometric struct {
	row1, row2, column int
	lo, hi             int // smallest and largest possible count
}

func fisherMargins(t [2][2]int) fisherHypergeometric {
	row1, row2, column := t[0][0]+t[0][1], t[1][0]+t[1][1], t[0][0]+t[1][0]
	return fisherHypergeometric{row1, row2, column, max(0, column-row2), min(row1, column)}
}

// fisherSwapped returns the table with its columns exchanged, which inverts the odds ratio.
func fisherSwapped(t [2][2]int) [2][2]int {
	return [2][2]int{{t[0][1], t[0][0]}, {t[1][1], t[1][0]}}
}

// ratio returns P(k+1) / P(k).
func (h fisherHypergeometric) ratio(k int) float64 {
	return float64(h.row1-k) / float64(k+1) * (float64(h.column-k) / float64(h.row2-h.column+k+1))
}

// mode returns the most likely count if each P(k) is multiplied by odds^k.
func (h fisherHypergeometric) mode(odds float64) int {
	return h.lo + sort.Search(h.hi-h.lo, func(i int) bool { return odds*h.ratio(h.lo+i) < 1 })
}

// logMass returns log P(k) from three binomial masses. In C(row1, k) C(row2, column−k) / C(n, column), each factor is
// multiplied by the same powers of column/n and 1 − column/n.
func (h fisherHypergeometric) logMass(k int) float64 {
	n := h.row1 + h.row2
	mass := func(k, row int) float64 {
		share := float64(row) / float64(n)
		return binomialLogMass(k, row, share*float64(h.column), share*float64(n-h.column))
	}
	return mass(k, h.row1) + mass(h.column-k, h.row2) - mass(h.column, n)
}

// below returns P(X ≤ k) for k below the mode, summed from k down.
func (h fisherHypergeometric) below(k int) float64 {
	sum, term := 1., 1.
	for k0 := k; k0 > h.lo && term > 1e-18*sum; k0-- {
		term /= h.ratio(k0 - 1)
		sum += term
	}
	return sum * vectorstate.Exp(h.logMass(k))
}

// above returns P(X ≥ k) for k above the mode, summed from k up.
func (h fisherHypergeometric) above(k int) float64 {
	sum, term := 1., 1.
	for k0 := k; k0 < h.hi && term > 1e-18*sum; k0++ {
		term *= h.ratio(k0)
		sum += term
	}
	return sum * vectorstate.Exp(h.logMass(k))
}

// atMost returns P(X ≤ k).
func (h fisherHypergeometric) atMost(k int) float64 {
	switch {
	case k >= h.hi:
		return 1
	case k < h.mode(1):
		return min(1, h.below(k))
	}
	return max(0, 1-h.above(k+1))
}

// noLikelier returns the probability of all counts that are at most as likely as k.
func (h fisherHypergeometric) noLikelier(k int) float64 {
	mode := h.mode(1)
	bound := h.logMass(k) + 1e-7
	rare := func(i int) bool { return h.logMass(i) <= bound }
	if rare(mode) {
		return 1
	}
	if k < mode {
		p := h.below(k)
		if opposite := mode + sort.Search(h.hi-mode+1, func(i int) bool { return rare(mode + i) }); opposite <= h.hi {
			p += h.above(opposite)
		}
		return min(1, p)
	}
	p := h.above(k)
	if opposite := mode - sort.Search(mode-h.lo+1, func(i int) bool { return rare(mode - i) }); opposite >= h.lo {
		p += h.below(opposite)
	}
	return min(1, p)
}
