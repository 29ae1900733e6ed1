package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// NemenyiResult is the result of Nemenyi's post-hoc test.
type NemenyiResult struct {
	Friedman           FriedmanResult // Friedman test of all columns together
	Pairs              [][]float64    // p-value of each pair of columns; 1 on the diagonal
	CriticalDifference float64        // two average ranks that are further apart differ significantly at Level
	Level              float64        // confidence level, 1 − α
}

// Nemenyi compares all pairs of k columns (treatments) of N rows (blocks) by their average ranks R, usually after
// [Friedman]. The p-value of columns i and j, adjusted for the number of pairs, is
//
//	p = P(range of k standard normals ≥ |R_i − R_j| / sqrt(k(k+1)/(12N)))
//
// as in scikit-posthocs' posthoc_nemenyi_friedman, without a correction for ties. It takes the options of Friedman and
// [Level].
//
// Special cases are the same as for Friedman. If its P is NaN, all of Pairs are NaN.
func Nemenyi(columns [][]float64, opts ...Option) NemenyiResult {
	s := resolve(opts, false)
	r := NemenyiResult{Friedman: Friedman(columns, opts...), Level: s.level}
	k, n := len(columns), r.Friedman.N
	r.CriticalDifference = CriticalDifference(1-s.level, k, n)
	unit := math.Sqrt(float64(k) * float64(k+1) / (12 * float64(n)))
	r.Pairs = make([][]float64, k)
	for i := range r.Pairs {
		r.Pairs[i] = make([]float64, k)
		for j := range r.Pairs[i] {
			switch {
			case math.IsNaN(r.Friedman.P):
				r.Pairs[i][j] = math.NaN()
			case i == j:
				r.Pairs[i][j] = 1
			case j < i:
				r.Pairs[i][j] = r.Pairs[j][i]
			default:
				r.Pairs[i][j] = NormalRangeSF(math.Abs(r.Friedman.AverageRanks[i]-r.Friedman.AverageRanks[j])/unit, k)
			}
		}
	}
	return r
}

// CriticalDifference returns the difference of average ranks over n rows beyond which two of k columns differ at
// significance level alpha (Demšar 2006, §3.2.2),
//
//	CD = q_α sqrt(k(k+1)/(12n))
//
// with q_α the upper α quantile of the range of k standard normals. (Demšar's table 5 lists q_α/√2.)
//
// Special cases are:
//
//	k < 2, n < 1, alpha outside (0, 1) or NaN  →  NaN
func CriticalDifference(alpha float64, k, n int) float64 {
	if k < 2 || n < 1 || !(alpha > 0 && alpha < 1) {
		return math.NaN()
	}
	return normalRangeQuantile(alpha, k) * math.Sqrt(float64(k)*float64(k+1)/(12*float64(n)))
}

// normalRangeQuantile returns the q at which NormalRangeSF(q, k) = alpha.
func normalRangeQuantile(alpha float64, k int) float64 {
	return bisect(func(q float64) float64 { return NormalRangeSF(q, k) - alpha }, 0, 100)
}

// NormalRangeSF returns the probability that the range of k independent standard normal values is at least q. This is
// the upper tail of the studentised range with infinite degrees of freedom. If z is the smallest value, it equals
//
//	k ∫ φ(z) (Q(z)^(k−1) − (Q(z) − Q(z+q))^(k−1)) dz,  Q = 1 − Φ.
//
// The trapezoidal rule converges exponentially for this integrand, and the difference is formed without cancellation,
// so small probabilities keep their relative accuracy.
//
// Special cases are:
//
//	q ≤ 0         →  1
//	NaN or k < 2  →  NaN
func NormalRangeSF(q float64, k int) float64 {
	if math.IsNaN(q) || k < 2 {
		return math.NaN()
	}
	if q <= 0 {
		return 1
	}
	const step = 1. / 8
	others := float64(k - 1)
	sum := 0.
	for z := -math.Min(q, 80)/2 - 9; z <= 9; z += step {
		above := normalSF(z)
		beyond := -math.Expm1(others * math.Log1p(-normalSF(z+q)/above))
		sum += vectorstate.Exp(-z*z/2) * vectorstate.Pow(above, others) * beyond
	}
	return min(float64(k)*step/math.Sqrt(2*math.Pi)*sum, 1)
}
