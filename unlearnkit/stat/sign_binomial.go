package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/vectorstate"
)

// loaderBinomialMass returns the probability of k successes in n trials that succeed with probability expected/n, for 0 ≤ k < n and
// 0 < expected < n. It follows Loader (2000), "Fast and accurate computation of binomial probabilities": the factorials' leading parts cancel
// before anything is rounded, so the relative error stays near machine precision at any n.
func loaderBinomialMass(k, n int, expected float64) float64 {
	size := float64(n)
	if k == 0 {
		return vectorstate.Exp(size * math.Log1p(-expected/size))
	}
	successes, failures := float64(k), float64(n-k)
	log := loaderStirlingError(n) - loaderStirlingError(k) - loaderStirlingError(n-k) -
		loaderDeviance(successes, expected) - loaderDeviance(failures, size-expected)
	return vectorstate.Exp(log) * math.Sqrt(size/(2*math.Pi*successes*failures))
}

// loaderStirlingError is log n! minus Stirling's approximation log(sqrt(2πn) (n/e)ⁿ), for n ≥ 1.
func loaderStirlingError(n int) float64 {
	f := float64(n)
	if n < 16 {
		logFactorial, _ := math.Lgamma(f + 1)
		return logFactorial - (f+.5)*math.Log(f) + f - math.Log(2*math.Pi)/2
	}
	s := 1 / (f * f)
	return (1./12 - (1./360-(1./1260-(1./1680-s/1188)*s)*s)*s) / f
}

// loaderDeviance is x log(x/m) + m − x, by its series where x is near m and the terms would cancel.
func loaderDeviance(x, m float64) float64 {
	if math.Abs(x-m) >= .1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	v := (x - m) / (x + m)
	sum := (x - m) * v
	power := 2 * x * v
	for j := 3.; ; j += 2 {
		power *= v * v
		next := sum + power/j
		if next == sum {
			return sum
		}
		sum = next
	}
}
