package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// incompleteBeta returns the regularised incomplete beta function and its complement,
//
//	lower = I_x(a, b) = ∫₀ˣ u^(a−1) (1−u)^(b−1) du / B(a, b),  upper = I_y(b, a) = 1 − lower,
//
// at x and y = 1−x. Both x and y are parameters, because computing one from the other would lose digits. The smaller of
// the two keeps a relative accuracy of about 1e-12 down to the smallest normal float64 and for a+b up to 1e9, where
// mathext.RegIncBeta only reaches 1e-6.
func incompleteBeta(a, b, x, y float64) (lower, upper float64) {
	switch {
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	lower, upper, _ = betaTails(a, b, x, y, betaScale(a, b))
	return lower, upper
}

// betaTails returns [incompleteBeta] for 0 < x < 1, given scale = betaScale(a, b). It also returns the slope dI/ds =
// x^a y^b / B(a, b) with s = log(x/y), computed by Loader's saddle-point method, see [saddleDeviance].
func betaTails(a, b, x, y, scale float64) (lower, upper, slope float64) {
	n := a + b
	slope = scale * vectorstate.Exp(-saddleDeviance(a, n*x)-saddleDeviance(b, n*y))
	if x < (a+1)/(a+b+2) {
		lower = min(slope/betaFraction(a, b, x, y), 1)
		return lower, 1 - lower, slope
	}
	upper = min(slope/betaFraction(b, a, y, x), 1)
	return 1 - upper, upper, slope
}

// betaScale returns the part of the slope that does not depend on x.
func betaScale(a, b float64) float64 {
	n := a + b
	return math.Sqrt(a/n*b/(2*math.Pi)) * vectorstate.Exp(stirlingError(n)-stirlingError(a)-stirlingError(b))
}

// betaFraction returns x^a y^b / (B(a, b) I_x(a, b)), y = 1−x, as the even part of the continued fraction NIST DLMF
// 8.17.22 (Didonato and Morris 1992, eq. 9),
//
//	β₀ + α₁/(β₁ + α₂/(β₂ + …)),
//	αₘ = (a+m−1)(a+b+m−1)m(b−m)x²/(a+2m−1)²,
//	βₘ = m + m(b−m)x/(a+2m−1) + (a+m)(ay − bx + 1 + m(1+y))/(a+2m+1),
//
// by the modified Lentz method, which takes on the order of √max(a, b) terms. The fraction as printed in 8.17.22 begins
// with 1 − (a+b)x/(a+1). It loses log₁₀(a/b) digits if a is much larger than b, when x is near 1 and y is small.
func betaFraction(a, b, x, y float64) float64 {
	excess := float64(a*y) - float64(b*x) + 1
	f := fractionNonzero(a * excess / (a + 1))
	c, d := f, 0.
	limit := 200 + int(10*math.Sqrt(max(a, b)))
	for m := 1.; m < float64(limit); m++ {
		odd := a + 2*m - 1
		step := m * (b - m) * x / odd
		alpha := (a + m - 1) * (a + b + m - 1) / odd * x * step
		beta := m + step + float64((a+m)/(a+2*m+1)*(excess+float64(m*(1+y))))
		d = 1 / fractionNonzero(beta+float64(alpha*d))
		c = fractionNonzero(beta + alpha/c)
		f *= c * d
		if math.Abs(c*d-1) < 4e-16 {
			break
		}
	}
	return f
}

// fractionNonzero replaces a partial numerator or denominator of a continued fraction that is nearly zero by a tiny
// number.
func fractionNonzero(v float64) float64 {
	const tiny = 1e-300
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// incompleteBetaQuantile returns the x, and y = 1−x, at which I_x(a, b) = p, 0 < p < 1.
//
// It applies Newton's method to log I as a function of s = log(x/y), where dI/ds = x^a y^b / B(a, b). This function is
// concave, so that the method converges from every start.
func incompleteBetaQuantile(p, a, b float64) (x, y float64) {
	s, step, scale := math.Log(a/b), 0., betaScale(a, b)
	for range 200 {
		x, y = 1/(1+vectorstate.Exp(-s)), 1/(1+vectorstate.Exp(s))
		lower, upper, slope := betaTails(a, b, x, y, scale)
		if lower == 0 || slope == 0 {
			// If I underflows, the step was too long.
			step /= 2
			s += step
			continue
		}
		ratio := math.Log(lower / p)
		if lower > .5 {
			ratio = math.Log1p(-upper) - math.Log(p)
		}
		step = ratio * lower / slope
		s -= step
		if math.Abs(step) <= 1e-10*(1+math.Abs(s)) { // the next step would be about the square of this one
			break
		}
	}
	return 1 / (1 + vectorstate.Exp(-s)), 1 / (1 + vectorstate.Exp(s))
}
