package stat

import "math"

// mustMatch panics unless two slices have the same length.
func mustMatch(n, m int) {
	if n != m {
		panic("stat: slice length mismatch")
	}
}

// differences returns x − y. It uses the memory of scratch.
func differences(x, y []float64, scratch *Scratch) []float64 {
	mustMatch(len(x), len(y))
	d := scratch.floatsOf(len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}

// unfitForMean returns warnings about why the mean of v is undefined.
func unfitForMean(v []float64) Warning {
	if len(v) == 0 {
		return WarnEmpty
	}
	if allFinite(v) {
		return 0
	}
	var w Warning
	for _, e := range v {
		// e−e is 0 unless e is NaN or ±Inf.
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

// allFinite reports whether v contains no NaN and no infinity. Four sums let the processor overlap additions.
func allFinite(v []float64) bool {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = a+(v[0]-v[0]), b+(v[1]-v[1]), c+(v[2]-v[2]), d+(v[3]-v[3])
	}
	for _, e := range v {
		a += e - e
	}
	return a+b+c+d == 0
}

// tooFew returns WarnTooFew if a sample is not empty and has fewer values than enough.
func tooFew(n, enough int) Warning {
	if n > 0 && n < enough {
		return WarnTooFew
	}
	return 0
}

// isProbability reports whether p is in [0, 1]. It returns false for NaN.
func isProbability(p float64) bool { return p >= 0 && p <= 1 }
