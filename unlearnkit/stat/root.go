package stat

import "math"

// bisect returns the point between lo and hi at which the decreasing function f changes its sign, or the nearer end if
// none exists.
func bisect(f func(float64) float64, lo, hi float64) float64 {
	for {
		middle := lo + (hi-lo)/2
		if middle <= lo || middle >= hi || hi-lo < 1e-17 {
			return middle
		}
		if f(middle) > 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
}

// increasingRoot returns the root of the increasing function f. It brackets the root by doubling steps from guess. It
// then narrows the bracket by regula falsi with Anderson and Björck's modification, and bisects if three steps do not
// halve the bracket.
func increasingRoot(f func(float64) float64, guess, step float64) float64 {
	a := guess
	fa := f(a)
	if fa > 0 {
		step = -step
	}
	b, fb := a, fa
	for i := 0; fb != 0 && (fb > 0) == (fa > 0); i++ {
		if i == 200 || math.IsNaN(fb) {
			return math.NaN()
		}
		a, fa = b, fb
		b += step
		fb = f(b)
		step *= 2
	}
	width, sinceHalved := math.Abs(b-a), 0
	for fb != 0 && math.Abs(b-a) > 4e-16*math.Max(math.Abs(a), math.Abs(b)) {
		c := b - fb*(b-a)/(fb-fa)
		if sinceHalved == 3 || !(math.Min(a, b) < c && c < math.Max(a, b)) {
			c, sinceHalved = a+(b-a)/2, 0
		}
		if c == a || c == b {
			break
		}
		fc := f(c)
		if (fc > 0) != (fb > 0) || fc == 0 {
			a, fa = b, fb
		} else if m := 1 - fc/fb; m > 0 {
			fa *= m
		} else {
			fa /= 2
		}
		b, fb = c, fc
		sinceHalved++
		if w := math.Abs(b - a); w <= width/2 {
			width, sinceHalved = w, 0
		}
	}
	return b
}
