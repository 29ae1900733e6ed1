package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/vectorstate"
)

// incompleteBeta returns the regularised incomplete beta function and its complement,
//
//	lower = I_x(a, b) = ∫₀ˣ u^(a−1) (1−u)^(b−1) du / B(a, b),  upper = I_y(b, a) = 1 − lower,
//
// at x and y = 1−x, which are both given so that neither is known only by subtraction. The smaller of the two keeps a relative accuracy of
// 1e-12 down to the smallest normal float64 and for a+b up to 1e9, where mathext.RegIncBeta is down to 1e-6.
func incompleteBeta(a, b, x, y float64) (lower, upper float64) {
	switch {
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	prefix := betaPrefix(a, b, x, y)
	if x < (a+1)/(a+b+2) {
		lower = min(prefix*betaFraction(a, b, x)/a, 1)
		return lower, 1 - lower
	}
	upper = min(prefix*betaFraction(b, a, y)/b, 1)
	return 1 - upper, upper
}

// betaPrefix returns x^a y^b / B(a, b) by Loader's saddle point, see [saddleDeviance].
func betaPrefix(a, b, x, y float64) float64 {
	n := a + b
	scale := math.Sqrt(a / n * b / (2 * math.Pi))
	return scale * vectorstate.Exp(stirlingError(n)-stirlingError(a)-stirlingError(b)-
		saddleDeviance(a, n*x)-saddleDeviance(b, n*y))
}

// betaFraction evaluates the continued fraction of the incomplete beta function (NIST DLMF 8.17.22) by the modified Lentz method.
// It needs of the order of √max(a, b) terms.
func betaFraction(a, b, x float64) float64 {
	limit := 200 + int(10*math.Sqrt(max(a, b)))
	c := 1.0
	d := 1 / fractionNonzero(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < float64(limit); m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / fractionNonzero(1+float64(even*d))
		c = fractionNonzero(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / fractionNonzero(1+float64(odd*d))
		c = fractionNonzero(1 + odd/c)
		h *= d * c
		if math.Abs(d*c-1) < 4e-16 {
			break
		}
	}
	return h
}

// fractionNonzero keeps a partial numerator or denominator of a continued fraction away from zero.
func fractionNonzero(v float64) float64 {
	const tiny = 1e-300
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// incompleteBetaQuantile returns the x, and y = 1−x, at which I_x(a, b) = p, 0 < p < 1.
//
// Newton's method runs on log I over s = log(x/y): there dI/ds = x^a y^b / B(a, b), and the function is concave, so that it converges from
// every start.
func incompleteBetaQuantile(p, a, b float64) (x, y float64) {
	s, step := math.Log(a/b), 0.
	for range 200 {
		x, y = 1/(1+vectorstate.Exp(-s)), 1/(1+vectorstate.Exp(s))
		lower, upper := incompleteBeta(a, b, x, y)
		if lower == 0 {
			// The step went so far that float64 no longer sees I.
			step /= 2
			s += step
			continue
		}
		ratio := math.Log(lower / p)
		if lower > .5 {
			ratio = math.Log1p(-upper) - math.Log(p)
		}
		step = ratio * lower / betaPrefix(a, b, x, y)
		s -= step
		if math.Abs(step) <= 1e-10*(1+math.Abs(s)) { // the next step would be its square
			break
		}
	}
	return 1 / (1 + vectorstate.Exp(-s)), 1 / (1 + vectorstate.Exp(s))
}
