package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// binomialMass returns the probability of k successes in n trials, given the expected numbers of successes and
// failures. These two sum to n. Both are parameters, because computing one from the other would lose digits.
func binomialMass(k, n int, successes, failures float64) float64 {
	exponent, scale := binomialSaddle(k, n, successes, failures)
	return scale * vectorstate.Exp(exponent)
}

// binomialLogMass returns the logarithm of [binomialMass], which is finite even if the mass underflows.
func binomialLogMass(k, n int, successes, failures float64) float64 {
	exponent, scale := binomialSaddle(k, n, successes, failures)
	return exponent + math.Log(scale)
}

// binomialSaddle returns the factors of the mass scale·exp(exponent) in Loader's form. In this form the leading parts
// of the factorials cancel before rounding.
func binomialSaddle(k, n int, successes, failures float64) (exponent, scale float64) {
	switch {
	case k < 0 || k > n:
		return math.Inf(-1), 1
	case k == 0:
		return logCertain(n, failures, successes), 1
	case k == n:
		return logCertain(n, successes, failures), 1
	case successes == 0 || failures == 0:
		return math.Inf(-1), 1
	}
	a, b, m := float64(k), float64(n-k), float64(n)
	exponent = stirlingError(m) - stirlingError(a) - stirlingError(b) - saddleDeviance(a, successes) - saddleDeviance(b,
		failures)
	return exponent, math.Sqrt(m / (2 * math.Pi * a * b))
}

// logCertain returns the logarithm of (expected/n)ⁿ, the probability that all n trials have an outcome with that
// expected number. others is n − expected. The result is 0 for n = 0.
func logCertain(n int, expected, others float64) float64 {
	m := float64(n)
	switch {
	case n == 0:
		return 0
	case expected < others:
		return m * math.Log(expected/m)
	}
	return m * math.Log1p(-others/m)
}

// binomialAtLeast returns P(X ≥ k) for a binomial X with n trials, where p is the probability of success and q = 1−p.
func binomialAtLeast(k, n int, p, q float64) float64 {
	switch {
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	atLeast, _ := incompleteBeta(float64(k), float64(n-k+1), p, q)
	return atLeast
}

// binomialAtMost returns P(X ≤ k) for the binomial X of [binomialAtLeast].
func binomialAtMost(k, n int, p, q float64) float64 { return binomialAtLeast(n-k, n, q, p) }

// binomialMasses returns P(K = k) for k = 0 … n. It computes each mass from its neighbour, from the mode outwards, and
// scales them to sum to 1.
func binomialMasses(n int, p float64) []float64 {
	masses := make([]float64, n+1)
	mode := min(int(float64(n+1)*p), n)
	masses[mode] = 1
	total := 1.
	for k := mode + 1; k <= n; k++ {
		masses[k] = masses[k-1] * float64(n-k+1) / float64(k) * (p / (1 - p))
		total += masses[k]
	}
	for k := mode - 1; k >= 0; k-- {
		masses[k] = masses[k+1] * float64(k+1) / float64(n-k) * ((1 - p) / p)
		total += masses[k]
	}
	for k := range masses {
		masses[k] /= total
	}
	return masses
}

// fairCoinP returns the p-value of k heads in n throws of a fair coin. The two-sided p-value is twice the smaller tail.
func fairCoinP(k, n int, a Alternative) float64 {
	switch a {
	case Less:
		return fairCoinAtMost(k, n)
	case Greater:
		return fairCoinAtMost(n-k, n)
	}
	return min(1, 2*fairCoinAtMost(min(k, n-k), n))
}

// fairCoinAtMost returns the probability of at most k heads in n throws of a fair coin. It sums from the largest term
// down. In small samples the sum keeps digits that the incomplete beta function's continued fraction loses.
func fairCoinAtMost(k, n int) float64 {
	if 2*k >= n {
		return 1 - fairCoinAtMost(n-k-1, n)
	}
	half := float64(n) / 2
	mass, sum := binomialMass(k, n, half, half), 0.
	for i := k; i >= 0 && mass > sum*0x1p-60; i-- {
		sum += mass
		mass *= float64(i) / float64(n-i+1)
	}
	return sum
}
