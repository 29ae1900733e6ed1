package stat

import (
	"math"
	"sort"
)

// BinomialResult is the result of a binomial test. Statistic is K. The effect is the proportion k/n with its
// Clopper–Pearson interval, which is one-sided if the alternative is.
type BinomialResult struct {
	Result
	K     int     // number of successes
	Under float64 // probability of success under the null hypothesis
}

// Binomial performs the exact test that each of n trials succeeds with probability p, given k successes.
//
// The two-sided p-value is the probability of all counts that are at most as likely as k. As in scipy.stats.binomtest
// and R's binom.test, a probability that is larger by a factor of up to 1+1e-7 counts as equal. Binomial takes on the
// order of √n steps.
//
// Special cases are:
//
//	n = 0                         →  P = NaN with WarnEmpty
//	k < 0, k > n, p not in [0, 1] →  P = NaN with WarnBadParameter
func Binomial(k, n int, p float64, opts ...Option) BinomialResult {
	s := resolve(opts, false)
	nan := math.NaN()
	r := BinomialResult{
		Result: Result{Test: "binomial", Statistic: nan, P: nan, N: n, Effect: bare("proportion", nan),
			Alternative: s.alternative, Method: Exact},
		K: k, Under: p,
	}
	switch {
	case k < 0 || k > n || !isProbability(p):
		r.Warnings |= WarnBadParameter
		return r
	case n == 0:
		r.Warnings |= WarnEmpty
		return r
	}
	r.Statistic = float64(k)
	r.Effect = binomialClopperPearson(k, n, s)
	if math.IsNaN(r.Effect.Lo) {
		r.Warnings |= WarnBadParameter
	}
	switch s.alternative {
	case Less:
		r.P = binomialAtMost(k, n, p, 1-p)
	case Greater:
		r.P = binomialAtLeast(k, n, p, 1-p)
	default:
		r.P = binomialTwoSided(k, n, p)
	}
	return r
}

// binomialTwoSided returns the probability of the counts that are at most as likely as k.
func binomialTwoSided(k, n int, p float64) float64 {
	q := 1 - p
	mean, failures := float64(n)*p, float64(n)*q
	if float64(k) == mean {
		return 1
	}
	// The mass itself underflows in the tails, so its logarithm is compared.
	bound := binomialLogMass(k, n, mean, failures) + 1e-7
	rare := func(i int) bool { return binomialLogMass(i, n, mean, failures) <= bound }
	if float64(k) < mean {
		start := int(math.Ceil(mean))
		opposite := start + sort.Search(n-start+1, func(i int) bool { return rare(start + i) })
		near := binomialAtMost(k, n, p, q)
		if opposite > n {
			return near
		}
		return min(1, near+binomialAtLeast(opposite, n, p, q))
	}
	// The lower tail ends before the first count that is too likely.
	opposite := sort.Search(int(math.Floor(mean))+1, func(i int) bool { return !rare(i) }) - 1
	near := binomialAtLeast(k, n, p, q)
	if opposite < 0 {
		return near
	}
	return min(1, near+binomialAtMost(opposite, n, p, q))
}

// binomialClopperPearson returns the proportion k/n with the interval of Clopper and Pearson (1934). The interval is
// one-sided if the settings' alternative is. It is missing if the level is outside (0, 1).
func binomialClopperPearson(k, n int, s settings) Effect {
	e := bare("proportion", float64(k)/float64(n))
	if !s.validLevel() {
		return e
	}
	tail := s.alternative.outside(s.level)
	e.Lo, e.Hi, e.Level = 0, 1, s.level
	if k > 0 && s.alternative != Less {
		e.Lo, _ = incompleteBetaQuantile(tail, float64(k), float64(n-k+1))
	}
	if k < n && s.alternative != Greater {
		_, e.Hi = incompleteBetaQuantile(tail, float64(n-k), float64(k+1))
	}
	return e
}
