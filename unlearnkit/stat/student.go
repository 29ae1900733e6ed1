package stat

import "math"

// studentP returns the p-value of t under Student's distribution with df degrees of freedom.
func studentP(t, df float64, alternative Alternative) float64 {
	if math.IsNaN(t) || math.IsNaN(df) {
		return math.NaN()
	}
	square := t * t / df
	both, _ := incompleteBeta(df/2, .5, 1/(1+square), square/(1+square))
	switch {
	case alternative == TwoSided:
		return both
	case (alternative == Greater) == (t > 0):
		return both / 2
	}
	return 1 - both/2
}

// studentQuantile returns the value that a Student's t variable with df degrees of freedom exceeds with probability
// tail.
func studentQuantile(tail, df float64) float64 {
	switch {
	case tail > .5:
		return -studentQuantile(1-tail, df)
	case tail == .5:
		return 0
	}
	x, y := incompleteBetaQuantile(2*tail, df/2, .5)
	return math.Sqrt(df * y / x)
}
