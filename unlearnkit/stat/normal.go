package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"gonum.org/v1/gonum/mathext"
)

// normalCDF returns P(Z ≤ z) of a standard normal Z.
func normalCDF(z float64) float64 { return vectorstate.Erfc(-z/math.Sqrt2) / 2 }

// normalSF returns P(Z > z) of a standard normal Z.
func normalSF(z float64) float64 { return vectorstate.Erfc(z/math.Sqrt2) / 2 }

// normalQuantile returns the z with P(Z > z) = tail. It uses mathext, whose quantile is accurate in the tails.
// math.Erfcinv subtracts its argument from 1 and loses all digits at 1e-16.
func normalQuantile(tail float64) float64 { return -mathext.NormalQuantile(tail) }

// normalP returns the p-value of a standard normal z.
func normalP(z float64, a Alternative) float64 {
	switch a {
	case Less:
		return normalCDF(z)
	case Greater:
		return normalSF(z)
	}
	return vectorstate.Erfc(math.Abs(z) / math.Sqrt2)
}
