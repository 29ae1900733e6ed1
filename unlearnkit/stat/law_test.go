package stat

import (
	"fmt"
	"math"
	"testing"
)

var lawTails = []float64{.499, .3, .05, .025, 1e-4, 1e-8, 1e-12, 1e-16}

func TestNormalQuantile_InvertsTail(t *testing.T) {
	for _, tail := range append(lawTails, 1e-100, 1e-300) {
		// Rounding z once changes the tail by about z² units of rounding.
		closeTo(t, fmt.Sprint("P(Z > z) at ", tail), normalSF(normalQuantile(tail)), tail, 1e-12)
	}
	closeTo(t, "normalQuantile(.975)", normalQuantile(.975), -normalQuantile(.025), 1e-14)
}

func TestStudentQuantile_InvertsTail(t *testing.T) {
	for _, df := range []float64{.5, 1, 2, 3.7, 9, 100.5, 1e4, 1e6, 1e9} {
		for _, tail := range lawTails {
			what := fmt.Sprintf("P(T > t) at %v with ν = %v", tail, df)
			q := studentQuantile(tail, df)
			closeTo(t, what, studentP(q, df, Greater), tail, 1e-12)
			closeTo(t, what+", mirrored", studentP(-q, df, Less), tail, 1e-12)
			if df == 1 {
				closeTo(t, what+" of Cauchy's law", q, 1/math.Tan(math.Pi*tail), 1e-12)
			}
		}
	}
	for _, tail := range lawTails {
		// Student's quantile exceeds the normal quantile by about (z³ + z)/(4ν).
		z := normalQuantile(tail)
		closeTo(t, fmt.Sprint("quantile at ", tail), studentQuantile(tail, 1e6), z+(z*z*z+z)/4e6, 1e-9)
	}
}

func TestBinomialMasses_OneLaw(t *testing.T) {
	for _, n := range []int{1, 2, 9, 35, 400} {
		for _, p := range []float64{0, 1e-6, .02, .5, .83, 1} {
			atMost := 0.
			for k, mass := range binomialMasses(n, p) {
				what := fmt.Sprintf("%d of %d at %v", k, n, p)
				expected, others := float64(n)*p, float64(n)*(1-p)
				closeToOrLost(t, "mass of "+what, binomialMass(k, n, expected, others), mass, 1e-11)
				closeToOrLost(t, "log mass of "+what, math.Exp(binomialLogMass(k, n, expected, others)), mass, 1e-11)
				atMost += mass
				closeTo(t, "P(at most "+what+")", binomialAtMost(k, n, p, 1-p), atMost, 1e-11)
				if p == .5 {
					closeTo(t, "coin, at most "+what, fairCoinP(k, n, Less), atMost, 1e-11)
				}
			}
		}
	}
}
