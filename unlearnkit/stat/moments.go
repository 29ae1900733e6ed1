package stat

import "math"

// moments holds the size of a sample, its mean, and the sum of squares around the mean.
type moments struct {
	n             int
	mean, squares float64
}

// variance returns the sample variance.
func (m moments) variance() float64 { return m.squares / float64(m.n-1) }

// momentsOf returns the moments of v/scale, computed in two passes. The second pass also corrects the rounding of the
// first (Chan, Golub and LeVeque 1983, eq. 1.7). If all values are equal, the sum of squares is exactly zero. If v is
// empty, the mean is NaN.
func momentsOf(v []float64, scale float64) moments {
	if len(v) == 0 {
		return moments{mean: math.NaN()}
	}
	if allEqual(v) && !math.IsInf(v[0], 0) { // the sum of squares of infinities is undefined
		return moments{n: len(v), mean: v[0] / scale}
	}
	n, inverse := float64(len(v)), 1/scale // exact, because scale is a power of two
	sum := 0.
	for _, e := range v {
		sum += float64(e * inverse)
	}
	mean := sum / n
	squares, residue := 0., 0.
	for _, e := range v {
		d := float64(e*inverse) - mean
		squares += float64(d * d)
		residue += d
	}
	return moments{n: len(v), mean: mean + residue/n, squares: squares - float64(residue/n*residue)}
}

// allEqual reports whether all values of v are equal. v must not be empty.
func allEqual(v []float64) bool {
	for _, e := range v {
		if e != v[0] {
			return false
		}
	}
	return true
}

func pooledVariance(x, y moments) float64 { return (x.squares + y.squares) / float64(x.n+y.n-2) }

// momentScale returns the power of two by which to divide v so that sums of its squares neither overflow nor underflow.
// It is 1 for ordinary data.
func momentScale(v []float64) float64 {
	largest := 0.
	for _, e := range v {
		if size := math.Abs(e); size > largest {
			largest = size
		}
	}
	if largest == 0 || largest > 1e-120 && largest < 1e120 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, max(min(exponent, 1023), -1022))
}
