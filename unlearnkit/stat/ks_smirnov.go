package stat

import "math"

// SmirnovSF returns P(D⁺ ≥ d) for the one-sided Kolmogorov-Smirnov statistic of n values drawn from the continuous
// distribution that they are compared with (Birnbaum and Tingey 1951):
//
//	S(d) = d Σ_{j=0..⌊n(1−d)⌋} C(n, j) (d + j/n)^(j−1) (1 − d − j/n)^(n−j)
//
// Each term is the probability of j successes in n trials with success probability d + j/n, times d/(d + j/n). All
// terms are positive.
//
// Special cases are:
//
//	d ≤ 0         →  1
//	d ≥ 1         →  0
//	NaN or n < 1  →  NaN
func SmirnovSF(d float64, n int) float64 {
	switch {
	case math.IsNaN(d) || n < 1:
		return math.NaN()
	case d <= 0:
		return 1
	case d >= 1:
		return 0
	}
	size := float64(n)
	shift := size * d
	term := func(j int) float64 {
		expected := shift + float64(j)
		return binomialMass(j, n, expected, size-expected) * shift / expected
	}
	// The terms vanish exponentially towards either end.
	const negligible = 1e-20
	middle := int(size * (1 - d) / 2)
	sum := 0.
	for j := middle; shift+float64(j) < size; j++ {
		t := term(j)
		sum += t
		if t <= sum*negligible {
			break
		}
	}
	for j := middle - 1; j >= 0; j-- {
		t := term(j)
		sum += t
		if t <= sum*negligible {
			break
		}
	}
	return min(sum, 1)
}
