package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// FriedmanResult is the result of a Friedman test. Statistic is χ².
type FriedmanResult struct {
	Result
	Treatments    int       // number of columns, k
	AverageRanks  []float64 // average rank of each column over the N rows; the smallest value of a row has rank 1
	Ties          int       // number of rows with equal values
	ImanDavenport float64   // F = (N−1)χ²/(N(k−1) − χ²) with k−1 and (k−1)(N−1) degrees of freedom
	FP            float64   // p-value of F, less conservative than the p-value of χ² (Iman and Davenport 1980)
}

// Friedman performs Friedman's test on k columns (treatments) of N rows (blocks). The null hypothesis is that all
// orders within a row are equally likely. With R_j the average rank of a column over the rows,
//
//	χ² = 12N/(k(k+1)) · (Σ R_j² − k(k+1)²/4) / (1 − Σ(t³−t)/(N(k³−k)))
//
// over tied groups of size t within a row. Auto is asymptotic, χ² with k−1 degrees of freedom, as in
// scipy.stats.friedmanchisquare. Exact uses the distribution over all (k!)ᴺ reorderings within the rows, including
// ties. It is possible for small tables of up to 7 columns. Larger tables get the asymptotic p-value with WarnFellBack.
//
// The effect is Kendall's W = χ²/(N(k−1)), the agreement of the rows, from 0 to 1.
//
// Special cases are:
//
//	fewer than 2 columns, no rows  →  P = NaN with WarnTooFew, WarnEmpty
//	NaN                            →  P = NaN with WarnNaN
//	every row all tied             →  P = 1 and W = 0 with WarnAllTied
//	columns of unequal length      →  panic("stat: slice length mismatch")
func Friedman(columns [][]float64, opts ...Option) FriedmanResult {
	s := resolve(opts, false)
	k := len(columns)
	r := FriedmanResult{Result: Result{Test: "friedman", Method: s.rankMethodOr(Asymptotic)}, Treatments: k}
	if k > 0 {
		r.N = len(columns[0])
	}
	ranks, tieSum := r.rankRows(columns)
	if k < 2 {
		r.Warnings |= WarnTooFew
	}
	if r.N == 0 {
		r.Warnings |= WarnEmpty
	}
	if r.Warnings&(WarnNaN|WarnTooFew|WarnEmpty) != 0 {
		nan := math.NaN()
		for j := range r.AverageRanks {
			r.AverageRanks[j] = nan
		}
		r.Statistic, r.P, r.ImanDavenport, r.FP, r.Effect = nan, nan, nan, nan, bare("Kendall's W", nan)
		return r
	}
	n, kf := float64(r.N), float64(k)
	untied := 1 - float64(tieSum)/(n*(kf*kf*kf-kf))
	if untied == 0 {
		r.Warnings |= WarnAllTied
		r.P, r.FP, r.Effect, r.Method = 1, 1, bare("Kendall's W", 0), Exact
		return r
	}
	spread := 0.
	for _, a := range r.AverageRanks {
		spread += (a - (kf+1)/2) * (a - (kf+1)/2)
	}
	r.Statistic = 12 * n / (kf * (kf + 1)) * spread / untied
	r.Effect = bare("Kendall's W", min(r.Statistic/(n*(kf-1)), 1))
	r.ImanDavenport, r.FP = imanDavenport(r.Statistic, n, kf)
	if r.Method == Exact {
		if p, ok := friedmanExactP(ranks, k); ok {
			r.P = p
			return r
		}
		r.Method = Asymptotic
		r.Warnings |= WarnFellBack
	}
	r.P = mathext.GammaIncRegComp((kf-1)/2, r.Statistic/2)
	return r
}

// rankRows sets the average ranks and adds warnings about NaN and ties. It returns all ranks times two, row by row, and
// Σ(t³−t).
func (r *FriedmanResult) rankRows(columns [][]float64) (doubled []int, tieSum int) {
	for _, c := range columns {
		mustMatch(len(c), r.N)
	}
	k := len(columns)
	r.AverageRanks = make([]float64, k)
	row, ranks := make([]float64, k), make([]float64, k)
	doubled = make([]int, 0, r.N*k)
	var scratch Scratch
	for i := range r.N {
		for j, c := range columns {
			row[j] = c[i]
			if math.IsNaN(c[i]) {
				r.Warnings |= WarnNaN
				return nil, 0
			}
		}
		Ranks(ranks, row, &scratch)
		// Giving t equal values their average rank reduces the sum of squared ranks by (t³−t)/12.
		inRow := 2 * k * (k + 1) * (2*k + 1)
		for j, rank := range ranks {
			r.AverageRanks[j] += rank
			d := int(2 * rank)
			doubled = append(doubled, d)
			inRow -= 3 * d * d
		}
		if inRow > 0 {
			r.Ties++
		}
		tieSum += inRow
	}
	for j := range r.AverageRanks {
		r.AverageRanks[j] /= float64(r.N)
	}
	if r.Ties > 0 {
		r.Warnings |= WarnTies
	}
	return doubled, tieSum
}

// imanDavenport returns F and its p-value.
func imanDavenport(chi2, n, k float64) (f, p float64) {
	if n == 1 {
		return math.NaN(), math.NaN()
	}
	rest := max(n*(k-1)-chi2, 0)
	// The upper tail of F at f is I_w((k−1)(n−1)/2, (k−1)/2) with w = d₂/(d₂ + d₁f) = rest/(rest + chi2).
	p, _ = incompleteBeta((k-1)*(n-1)/2, (k-1)/2, rest/(rest+chi2), chi2/(rest+chi2))
	return (n - 1) * chi2 / rest, p
}
