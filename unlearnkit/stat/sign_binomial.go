package stat

import "math"

// binomialMass returns the probability of k successes in n trials that succeed with probability expected/n. It follows Loader (2000),
// "Fast and accurate computation of binomial probabilities": the factorials' leading parts cancel before anything is rounded, so the
// relative error stays near machine precision at any n.
func binomialMass(k, n int, expected float64) float64 {
	kf, rest, missed := float64(k), float64(n-k), float64(n)-expected
	switch {
	case expected <= 0:
		return indicator(k == 0)
	case missed <= 0:
		return indicator(k == n)
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-expected/float64(n)))
	case k == n:
		return math.Exp(float64(n) * math.Log1p(-missed/float64(n)))
	}
	log := stirlingError(n) - stirlingError(k) - stirlingError(n-k) - deviance(kf, expected) - deviance(rest, missed)
	return math.Exp(log) * math.Sqrt(float64(n)/(2*math.Pi*kf*rest))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// stirlingError is log n! minus Stirling's approximation log(sqrt(2πn) (n/e)ⁿ), for n ≥ 1.
func stirlingError(n int) float64 {
	f := float64(n)
	if n < 16 {
		logFactorial, _ := math.Lgamma(f + 1)
		return logFactorial - (f+.5)*math.Log(f) + f - math.Log(2*math.Pi)/2
	}
	s := 1 / (f * f)
	return (1./12 - (1./360-(1./1260-(1./1680-s/1188)*s)*s)*s) / f
}

// deviance is x log(x/m) + m − x, by its series where x is near m and the terms would cancel.
func deviance(x, m float64) float64 {
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
