package stat

import "math"

// stirlingError returns log Γ(z+1) − log(√(2πz) (z/e)^z), the error of Stirling's formula.
func stirlingError(z float64) float64 {
	if z < 16 {
		lg, _ := math.Lgamma(z + 1)
		return lg - float64((z+.5)*math.Log(z)) + z - math.Log(2*math.Pi)/2
	}
	w := 1 / (z * z)
	return (1./12 - w*(1./360-w*(1./1260-w*(1./1680-w/1188)))) / z
}

// saddleDeviance returns u log(u/v) + v − u without cancellation for u ≈ v. It is the deviance of Loader (2000), "Fast
// and accurate computation of binomial probabilities".
func saddleDeviance(u, v float64) float64 {
	if math.Abs(u-v) >= .1*(u+v) {
		return float64(u*math.Log(u/v)) + v - u
	}
	// u log(u/v) + v − u = (u−v)r + 2u Σ r^(2j+1)/(2j+1), r = (u−v)/(u+v)
	r := (u - v) / (u + v)
	sum := (u - v) * r
	term := 2 * u * r
	for j := 3.; j < 20; j += 2 { // r² < .01, so that eight terms suffice
		term *= r * r
		next := sum + term/j
		if next == sum {
			break
		}
		sum = next
	}
	return sum
}
