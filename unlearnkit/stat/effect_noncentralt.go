package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"gonum.org/v1/gonum/mathext"
)

// noncentralT returns the two tails P(T ≤ t) and P(T > t) of the noncentral t distribution, the law of T = (Z + δ)/S
// with Z standard normal and S² a mean of ν squares of standard normals. With f the density of S,
//
//	P(T ≤ t) = ∫ Φ(ts − δ) f(s) ds = ∫ φ(z) P(S ≥ (z+δ)/t) dz.
//
// Both integrands are analytic and vanish quickly on both sides (the first in log s), so that the trapezoidal rule
// converges exponentially. The first form is used unless δ alone makes Φ a steep step. All terms are positive. In the
// first form each tail keeps its relative accuracy down to about 1e-30. In the second form the absolute error is below
// 1e-20 plus rounding.
func noncentralT(t, nu, delta float64) (lower, upper float64) {
	switch {
	case math.IsNaN(t) || math.IsNaN(delta) || !(nu > 0):
		return math.NaN(), math.NaN()
	case delta < 0:
		upper, lower = noncentralT(-t, nu, -delta)
		return lower, upper
	case delta >= 20 && delta*delta > 2*nu:
		return noncentralTOverNormal(t, nu, delta)
	}
	return noncentralTOverChi(t, nu, delta)
}

// noncentralTOverChi integrates over u = log s. The density of u is proportional to exp(ν(u − (e^{2u}−1)/2)); dividing
// by the sum of the weights avoids its constant, whose logarithm would lose digits for large ν.
func noncentralTOverChi(t, nu, delta float64) (lower, upper float64) {
	step := math.Min(.12, .5/math.Sqrt(2*nu+delta*delta))
	total := 0.
	add := func(u float64) bool {
		weight := vectorstate.Exp(nu * (u - math.Expm1(2*u)/2))
		z := t*vectorstate.Exp(u) - delta
		lower += weight * normalCDF(z)
		upper += weight * normalSF(z)
		total += weight
		return weight > 1e-40
	}
	for i := 0.; add(i * step); i++ {
	}
	for i := -1.; add(i * step); i-- {
	}
	return lower / total, upper / total
}

// noncentralTOverNormal integrates over z, for δ so large that z + δ > 0 wherever the weight counts.
func noncentralTOverNormal(t, nu, delta float64) (lower, upper float64) {
	if t <= 0 {
		return 0, 1
	}
	const step, reach = .375, 30
	total := 0.
	for i := -reach; i <= reach; i++ {
		z := step * float64(i)
		weight := vectorstate.Exp(-z * z / 2)
		s := (z + delta) / t
		lower += weight * mathext.GammaIncRegComp(nu/2, nu*s*s/2)
		upper += weight * mathext.GammaIncReg(nu/2, nu*s*s/2)
		total += weight
	}
	return lower / total, upper / total
}

// noncentralityInterval returns the noncentralities lo and hi at which P(T ≥ t; lo) = α = P(T ≤ t; hi) for the observed
// t, where α = (1 − level)/2 (Steiger and Fouladi 1997).
func noncentralityInterval(t, nu, level float64) (lo, hi float64) {
	if math.IsNaN(t) || math.IsInf(t, 0) || !(nu > 0) {
		return math.NaN(), math.NaN()
	}
	alpha := (1 - level) / 2
	width := math.Sqrt(1 + t*t/(2*nu))
	lo = increasingRoot(func(delta float64) float64 {
		_, upper := noncentralT(t, nu, delta)
		return upper - alpha
	}, t-2*width, width)
	hi = increasingRoot(func(delta float64) float64 {
		lower, _ := noncentralT(t, nu, delta)
		return alpha - lower
	}, t+2*width, width)
	return lo, hi
}
