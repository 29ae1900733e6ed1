package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/vectorstate"
)

// binomialBeta returns the regularised incomplete beta function and its complement,
//
//	lower = I_x(a, b) = ∫₀ˣ u^(a−1) (1−u)^(b−1) du / B(a, b),  upper = I_y(b, a) = 1 − lower,
//
// at x and y = 1−x, which are both given so that neither is known only by subtraction. The smaller of the two keeps a relative accuracy of
// 1e-12 down to the smallest normal float64 and for a+b up to 1e9, where mathext.RegIncBeta is down to 1e-6.
func binomialBeta(a, b, x, y float64) (lower, upper float64) {
	switch {
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	prefix := binomialPrefix(a, b, x, y)
	if x < (a+1)/(a+b+2) {
		lower = min(prefix*binomialFraction(a, b, x)/a, 1)
		return lower, 1 - lower
	}
	upper = min(prefix*binomialFraction(b, a, y)/b, 1)
	return 1 - upper, upper
}

// binomialPrefix returns x^a y^b / B(a, b) in the saddle-point form of Loader (2000), "Fast and accurate computation of binomial
// probabilities".
func binomialPrefix(a, b, x, y float64) float64 {
	n := a + b
	scale := math.Sqrt(a / n * b / (2 * math.Pi))
	return scale * vectorstate.Exp(binomialStirling(n)-binomialStirling(a)-binomialStirling(b)-
		binomialDeviance(a, n*x)-binomialDeviance(b, n*y))
}

// binomialLogMass returns the logarithm of C(n, k) p^k q^(n−k), q = 1−p, by Loader's saddle point.
func binomialLogMass(k, n int, p, q float64) float64 {
	switch {
	case k < 0 || k > n:
		return math.Inf(-1)
	case k == 0:
		return binomialLogPower(n, q, p)
	case k == n:
		return binomialLogPower(n, p, q)
	case p == 0 || q == 0:
		return math.Inf(-1)
	}
	a, b, m := float64(k), float64(n-k), float64(n)
	return binomialStirling(m) - binomialStirling(a) - binomialStirling(b) -
		binomialDeviance(a, m*p) - binomialDeviance(b, m*q) + math.Log(m/(2*math.Pi*a)/b)/2
}

// binomialLogPower returns log(p^n) for p = 1−q, and 0 for n = 0.
func binomialLogPower(n int, p, q float64) float64 {
	switch {
	case n == 0:
		return 0
	case p < q:
		return float64(n) * math.Log(p)
	}
	return float64(n) * math.Log1p(-q)
}

// binomialTails returns P(X ≤ k) and P(X ≥ k) of a binomial count X.
func binomialTails(k, n int, p, q float64) (atMost, atLeast float64) {
	atMost, atLeast = 1, 1
	if k < n {
		atMost, _ = binomialBeta(float64(n-k), float64(k+1), q, p)
	}
	if k > 0 {
		atLeast, _ = binomialBeta(float64(k), float64(n-k+1), p, q)
	}
	return atMost, atLeast
}

// binomialFraction evaluates the continued fraction of the incomplete beta function (NIST DLMF 8.17.22) by the modified Lentz method.
// It needs of the order of √max(a, b) terms.
func binomialFraction(a, b, x float64) float64 {
	limit := 200 + int(10*math.Sqrt(max(a, b)))
	c := 1.0
	d := 1 / binomialNonzero(1-(a+b)*x/(a+1))
	h := d
	for m := 1.0; m < float64(limit); m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / binomialNonzero(1+float64(even*d))
		c = binomialNonzero(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / binomialNonzero(1+float64(odd*d))
		c = binomialNonzero(1 + odd/c)
		h *= d * c
		if math.Abs(d*c-1) < 4e-16 {
			break
		}
	}
	return h
}

// binomialNonzero keeps a partial numerator or denominator of a continued fraction away from zero.
func binomialNonzero(v float64) float64 {
	const tiny = 1e-300
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// binomialDeviance returns u log(u/v) + v − u without the cancellation at u ≈ v.
func binomialDeviance(u, v float64) float64 {
	if math.Abs(u-v) >= .1*(u+v) {
		return float64(u*math.Log(u/v)) + v - u
	}
	// u log(u/v) + v − u = (u−v)r + 2u Σ r^(2j+1)/(2j+1), r = (u−v)/(u+v)
	r := (u - v) / (u + v)
	sum := (u - v) * r
	term := 2 * u * r
	for j := 3.0; j < 20; j += 2 { // r² < .01, so that eight terms suffice
		term *= r * r
		sum += term / j
	}
	return sum
}

// binomialStirling returns log Γ(z+1) − log(√(2πz) (z/e)^z), the error of Stirling's formula.
func binomialStirling(z float64) float64 {
	if z < 16 {
		lg, _ := math.Lgamma(z + 1)
		return lg - float64((z+.5)*math.Log(z)) + z - math.Log(2*math.Pi)/2
	}
	w := 1 / (z * z)
	return (1./12 - w*(1./360-w*(1./1260-w*(1./1680-w/1188)))) / z
}

// binomialBetaQuantile returns the x, and y = 1−x, at which I_x(a, b) = p, 0 < p < 1.
//
// Newton's method runs on log I over s = log(x/y): there dI/ds = x^a y^b / B(a, b), and the function is concave, so that it converges from
// every start.
func binomialBetaQuantile(p, a, b float64) (x, y float64) {
	s, step := math.Log(a/b), 0.
	for range 200 {
		x, y = 1/(1+vectorstate.Exp(-s)), 1/(1+vectorstate.Exp(s))
		lower, upper := binomialBeta(a, b, x, y)
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
		step = ratio * lower / binomialPrefix(a, b, x, y)
		s -= step
		if math.Abs(step) <= 1e-10*(1+math.Abs(s)) { // the next step would be its square
			break
		}
	}
	return 1 / (1 + vectorstate.Exp(-s)), 1 / (1 + vectorstate.Exp(s))
}
