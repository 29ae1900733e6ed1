package stat

import "math"

// PermutationResult is the result of a permutation test. Statistic is the mean difference.
type PermutationResult struct {
	Result
	Arrangements float64 // number of arrangements that P is computed from, all or random
}

// permutationLimit is the largest number of values in the exact test. The test lists the sums of two halves, 2²⁰ each.
const permutationLimit = 40

// PermutationPaired tests whether the differences xᵢ − yᵢ are symmetric about zero. It compares the mean difference
// with its values under all flips of the signs.
//
// All 2ⁿ flips are counted if they are at most [Resamples], or if [Exact] is given and n ≤ 40. Otherwise, or if
// [MonteCarlo] is given, m = Resamples random flips are counted, and P = (count+1)/(m+1). The two-sided p-value is
// twice the smaller one-sided p-value, as in scipy.stats.permutation_test(permutation_type="samples"). Two means count
// as equal if they differ by less than 1e-14 mean|x−y|. scipy's tolerance is 2.2e-14 times the observed mean
// difference. If this difference is near zero, rounding decides ties in scipy.
//
// The random flips depend only on the [Seed], not on the number of processors.
//
// Special cases are:
//
//	all differences zero  →  P = 1 with WarnAllTied
//	Exact and n > 40      →  random flips with WarnResampled
//	no pairs              →  P = NaN with WarnEmpty
//	a value NaN, ±Inf     →  P = NaN with WarnNaN, WarnInf
//	Resamples < 1         →  P = NaN with WarnBadParameter
//	len(x) != len(y)      →  panic("stat: slice length mismatch")
func PermutationPaired(x, y []float64, opts ...Option) PermutationResult {
	s := resolve(opts, false)
	r := permutationResult("permutation-paired", len(x), s)
	d := differences(x, y, s.scratch)
	if r.Warnings |= unfitForMean(x) | unfitForMean(y) | unfitForMean(d); r.Warnings != 0 {
		return r
	}
	scale := momentScale(d)
	sum, size := 0., 0.
	for i, e := range d {
		d[i] = e / scale
		sum += d[i]
		size += math.Abs(d[i])
	}
	t := permutationThreshold{sum, permutationTolerance * size}
	all := math.Inf(1)
	if len(d) <= permutationLimit {
		all = math.Ldexp(1, len(d))
	}
	if r.plan(all, len(d), size, s) == Exact {
		half := len(d) / 2
		var c permutationCount
		c.pairs(permutationFlips(nil, d[:half]), permutationFlips(nil, d[half:]), t)
		return r.finish(c, sum/float64(len(d))*scale)
	}
	return r.finish(permutationRandomFlips(d, t, s), sum/float64(len(d))*scale)
}

// PermutationInd tests whether x and y have the same distribution. It compares the difference of the means with its
// values under all divisions of the pooled values into samples of the same sizes.
//
// All C(n₁+n₂, n₁) divisions are counted if they are at most [Resamples], or if [Exact] is given and n₁+n₂ ≤ 40.
// Otherwise random divisions are counted. The other rules and the special cases are the same as for
// [PermutationPaired]. It corresponds to scipy.stats.permutation_test(permutation_type="independent").
func PermutationInd(x, y []float64, opts ...Option) PermutationResult {
	s := resolve(opts, false)
	n1, n := len(x), len(x)+len(y)
	r := permutationResult("permutation-ind", n, s)
	if r.Warnings |= unfitForMean(x) | unfitForMean(y); r.Warnings != 0 {
		return r
	}
	scale := max(momentScale(x), momentScale(y))
	mx, my := momentsOf(x, scale), momentsOf(y, scale)
	pool := s.scratch.floatsOf(n)
	sum, size := 0., 0.
	for i := range pool {
		if i < n1 {
			pool[i] = x[i]/scale - mx.mean
			sum += pool[i]
		} else {
			pool[i] = y[i-n1]/scale - mx.mean
		}
		size += math.Abs(pool[i])
	}
	t := permutationThreshold{sum, permutationTolerance * size}
	difference := (mx.mean - my.mean) * scale
	if r.plan(permutationDivisions(n, n1), n, size, s) == Exact {
		var c permutationCount
		if n <= permutationLimit {
			c.allDivisions(pool, n1, t)
		} else {
			c.fewDivisions(pool, n1, 0, t)
		}
		return r.finish(c, difference)
	}
	return r.finish(permutationRandomDivisions(pool, n1, t, s), difference)
}

func permutationResult(test string, n int, s settings) PermutationResult {
	nan := math.NaN()
	r := PermutationResult{
		Result: Result{Test: test, Statistic: nan, P: nan, N: n, Effect: bare("mean difference", nan),
			Alternative: s.alternative},
		Arrangements: nan,
	}
	r.Method = MonteCarlo
	if s.resamples < 1 {
		r.Warnings |= WarnBadParameter
	}
	return r
}

// plan decides whether all arrangements of n values or random ones are counted. size is zero if all arrangements have
// the same sum.
func (r *PermutationResult) plan(all float64, n int, size float64, s settings) Method {
	if size == 0 {
		r.Warnings |= WarnAllTied
	}
	switch {
	case s.method == MonteCarlo:
	case all <= float64(s.resamples), s.method == Exact && n <= permutationLimit:
		r.Method = Exact
	case s.method == Exact:
		r.Warnings |= WarnResampled
	}
	return r.Method
}

// finish converts counts to a p-value. It adds the observed arrangement to random ones.
func (r PermutationResult) finish(c permutationCount, difference float64) PermutationResult {
	r.Statistic, r.Effect.Value = difference, difference
	r.Arrangements = float64(c.all)
	if r.Method == MonteCarlo {
		c.atMost, c.atLeast, c.all = c.atMost+1, c.atLeast+1, c.all+1
	}
	less, greater := float64(c.atMost)/float64(c.all), float64(c.atLeast)/float64(c.all)
	switch r.Alternative {
	case Less:
		r.P = less
	case Greater:
		r.P = greater
	default:
		r.P = min(1, 2*min(less, greater))
	}
	return r
}
