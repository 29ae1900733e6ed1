package stat

import "math"

// mustMatch panics unless two slices have the same length.
func mustMatch(n, m int) {
	if n != m {
		panic("stat: slice length mismatch")
	}
}

// differences returns x − y in memory of scratch.
func differences(x, y []float64, scratch *Scratch) []float64 {
	mustMatch(len(x), len(y))
	d := scratch.floatsOf(len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}

// unfitForMean says why the mean of v is not defined.
func unfitForMean(v []float64) Warning {
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

// tooFew warns of a sample of fewer than enough values that is not empty.
func tooFew(n, enough int) Warning {
	if n > 0 && n < enough {
		return WarnTooFew
	}
	return 0
}

// isProbability reports whether p lies in [0, 1]; NaN does not.
func isProbability(p float64) bool { return p >= 0 && p <= 1 }
