package stat

import (
	"cmp"
	"math"
	"slices"
)

// KendallResult is the result of Kendall's test. Statistic is τ-b.
type KendallResult struct {
	Result
	// pairs with the same order in both variables, pairs with opposite orders, and ties in x or in y
	Concordant, Discordant, TiesX, TiesY int
	Z                                    float64 // standardised difference of concordant and discordant pairs
}

// kendallAuto is the largest sample size for which Auto is exact if there are no ties.
const kendallAuto = 33

// Kendall computes the rank correlation of paired values and tests whether it is zero. With P concordant and Q
// discordant pairs of observations (Kendall, The treatment of ties in ranking problems, 1945),
//
//	τ-b = (P − Q) / sqrt((P + Q + ties in x alone)(P + Q + ties in y alone)),
//
// which does not depend on the order of the observations. Auto follows scipy.stats.kendalltau. It is exact if there are
// no ties and there are at most 33 observations, or at most one pair is concordant or at most one is discordant.
// Otherwise it is asymptotic, with the tie correction of the variance. If Exact is requested with ties or for more than
// 170 observations, the p-value is asymptotic, with WarnFellBack. The effect is τ-b.
//
// Special cases are:
//
//	fewer than two pairs, NaN   →  P = NaN with WarnEmpty, WarnTooFew or WarnNaN
//	all of x or of y are equal  →  τ-b and P = NaN with WarnAllTied
//	len(x) != len(y)            →  panic("stat: slice length mismatch")
func Kendall(x, y []float64, opts ...Option) KendallResult {
	mustMatch(len(x), len(y))
	s := resolve(opts, false)
	n := len(x)
	nan := math.NaN()
	r := KendallResult{Result: Result{Test: "kendall", Statistic: nan, P: nan, N: n, Alternative: s.alternative,
		Method: s.rankMethodOr(Asymptotic), Effect: bare("Kendall's tau-b", nan)}, Z: nan}
	if r.Warnings = tooFew(n, 2); n == 0 {
		r.Warnings = WarnEmpty
	}
	if slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		r.Warnings |= WarnNaN
	}
	if r.Warnings != 0 {
		return r
	}
	ties := r.count(x, y)
	pairs := n * (n - 1) / 2
	if r.TiesX == pairs || r.TiesY == pairs {
		r.Warnings = WarnAllTied
		return r
	}
	difference := float64(r.Concordant - r.Discordant)
	r.Statistic = difference / math.Sqrt(float64(pairs-r.TiesX)) / math.Sqrt(float64(pairs-r.TiesY))
	r.Statistic = max(-1, min(1, r.Statistic))
	r.Effect.Value = r.Statistic
	r.Z = difference / math.Sqrt(ties.variance(float64(n)))
	r.finish(s)
	return r
}

// finish fills in the p-value.
func (r *KendallResult) finish(s settings) {
	tied := r.TiesX+r.TiesY > 0
	fewest := min(r.Concordant, r.Discordant)
	auto := Asymptotic
	if tied {
		r.Warnings |= WarnTies
	} else if r.N <= kendallAuto || fewest <= 1 && r.N <= kendallMost {
		auto = Exact
	}
	if r.Method = s.rankMethodOr(auto); r.Method == Exact {
		if !tied && r.N <= kendallMost {
			r.P = r.exact(s.alternative)
			return
		}
		r.Warnings |= WarnFellBack
		r.Method = Asymptotic
	}
	r.P = normalP(r.Z, s.alternative)
}

// kendallMost is the largest sample size for which the exact distribution is computed, as in scipy.
const kendallMost = 170

// exact returns the p-value from the distribution of the number of discordant pairs over all orders of y. It is the
// convolution of uniform distributions on 0 to j, for all j below n.
func (r *KendallResult) exact(a Alternative) float64 {
	pairs := r.Concordant + r.Discordant
	fewest := min(r.Concordant, r.Discordant)
	law := make([]float64, fewest+1)
	law[0] = 1
	for j := 2; j <= r.N; j++ {
		sum := 0.0
		before := slices.Clone(law)
		for k := range law {
			if sum += before[k]; k >= j {
				sum -= before[k-j]
			}
			law[k] = sum / float64(j)
		}
	}
	atMost := 0.0
	for _, p := range law {
		atMost += p
	}
	if a == TwoSided && 2*fewest == pairs {
		return 1
	}
	// few discordant pairs indicate a positive correlation
	return rankTailP(atMost, law[fewest], r.Discordant == fewest, a)
}

// kendallTies holds sums over groups of equal values.
type kendallTies struct{ pairsX, pairsY, triplesX, triplesY, termX, termY float64 }

// variance returns the variance of the difference between the numbers of concordant and discordant pairs, if x and y
// are independent.
func (k kendallTies) variance(n float64) float64 {
	m := n * (n - 1)
	v := (m*(2*n+5)-k.termX-k.termY)/18 + 2*k.pairsX*k.pairsY/m
	if n > 2 {
		v += k.triplesX * k.triplesY / (9 * m * (n - 2))
	}
	return v
}

// count counts the pairs by sorting. The inversions of y, in the order of x, are the discordant pairs (Knight, 1966).
func (r *KendallResult) count(x, y []float64) (k kendallTies) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	group := func(alike func(a, b int) bool, visit func(t float64)) (pairs int) {
		for from := 0; from < len(order); {
			to := from + 1
			for to < len(order) && alike(order[from], order[to]) {
				to++
			}
			t := to - from
			pairs, from = pairs+t*(t-1)/2, to
			visit(float64(t))
		}
		return pairs
	}
	r.TiesX = group(func(a, b int) bool { return x[a] == x[b] }, func(t float64) {
		k.triplesX, k.termX = k.triplesX+t*(t-1)*(t-2), k.termX+t*(t-1)*(2*t+5)
	})
	both := group(func(a, b int) bool { return x[a] == x[b] && y[a] == y[b] }, func(float64) {})
	r.Discordant = inversions(order, make([]int, len(order)), y)
	r.TiesY = group(func(a, b int) bool { return y[a] == y[b] }, func(t float64) {
		k.triplesY, k.termY = k.triplesY+t*(t-1)*(t-2), k.termY+t*(t-1)*(2*t+5)
	})
	k.pairsX, k.pairsY = float64(r.TiesX), float64(r.TiesY)
	r.Concordant = len(x)*(len(x)-1)/2 - r.TiesX - r.TiesY + both - r.Discordant
	return k
}

// inversions sorts order by y and returns the number of pairs that change order.
func inversions(order, spare []int, y []float64) (turned int) {
	if len(order) < 2 {
		return 0
	}
	half := len(order) / 2
	turned = inversions(order[:half], spare[:half], y) + inversions(order[half:], spare[half:], y)
	left, right := order[:half], order[half:]
	for at := range spare {
		if len(right) == 0 || len(left) > 0 && y[left[0]] <= y[right[0]] {
			spare[at], left = left[0], left[1:]
		} else {
			spare[at], right = right[0], right[1:]
			turned += len(left)
		}
	}
	copy(order, spare)
	return turned
}
