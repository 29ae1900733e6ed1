package stat

import "math"

// ttestMoments are the size, mean and sample variance of one sample.
type ttestMoments struct {
	n              int
	mean, variance float64
}

// ttestMomentsOf returns the moments of v/scale by two passes, the second of which also corrects the first's rounding (Chan, Golub and
// LeVeque 1983, eq. 1.7). The variance of equal values is exactly zero.
func ttestMomentsOf(v []float64, scale float64) ttestMoments {
	n, inverse := float64(len(v)), 1/scale // exact for a power of two
	sum, lo, hi := 0., v[0], v[0]
	for _, e := range v {
		sum += float64(e * inverse)
		lo, hi = min(lo, e), max(hi, e)
	}
	if lo == hi {
		return ttestMoments{n: len(v), mean: lo / scale}
	}
	mean := sum / n
	squares, residue := 0., 0.
	for _, e := range v {
		d := float64(e*inverse) - mean
		squares += float64(d * d)
		residue += d
	}
	return ttestMoments{n: len(v), mean: mean + residue/n, variance: (squares - residue/n*residue) / (n - 1)}
}

// ttestPooled returns the variance common to two samples.
func ttestPooled(x, y ttestMoments) float64 {
	n1, n2 := float64(x.n), float64(y.n)
	return (float64((n1-1)*x.variance) + float64((n2-1)*y.variance)) / (n1 + n2 - 2)
}

// ttestScale returns the power of two by which v must be divided so that sums of its squares neither overflow nor underflow, 1 for
// ordinary data.
func ttestScale(v []float64) float64 {
	largest := 0.
	for _, e := range v {
		largest = max(largest, math.Abs(e))
	}
	if largest == 0 || largest > 1e-120 && largest < 1e120 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, max(min(exponent, 1023), -1022))
}

// ttestWarnings says why a sample's moments are not defined.
func ttestWarnings(v []float64) Warning {
	if len(v) == 0 {
		return WarnEmpty
	}
	var w Warning
	for _, e := range v {
		// e−e is NaN for NaN and ±Inf alone.
		if d := e - e; d != 0 {
			if math.IsNaN(e) {
				w |= WarnNaN
			} else {
				w |= WarnInf
			}
		}
	}
	return w
}

// ttestTooFew warns of a sample of fewer than enough values that is not empty.
func ttestTooFew(n, enough int) Warning {
	if n > 0 && n < enough {
		return WarnTooFew
	}
	return 0
}

// ttestTail returns the p-value of t under Student's distribution with df degrees of freedom.
func ttestTail(t, df float64, alternative Alternative) float64 {
	if math.IsNaN(t) || math.IsNaN(df) {
		return math.NaN()
	}
	square := t * t / df
	both, _ := binomialBeta(df/2, .5, 1/(1+square), square/(1+square))
	switch {
	case alternative == TwoSided:
		return both
	case (alternative == Greater) == (t > 0):
		return both / 2
	}
	return 1 - both/2
}

// ttestQuantile returns the t that Student's distribution with df degrees of freedom exceeds with the given probability.
func ttestQuantile(tail, df float64) float64 {
	switch {
	case tail > .5:
		return -ttestQuantile(1-tail, df)
	case tail == .5:
		return 0
	}
	x, y := binomialBetaQuantile(2*tail, df/2, .5)
	return math.Sqrt(df * y / x)
}
