package report

import "math"

// Defined returns x for JSON: nil, which is written as null, if x is NaN or infinite.
func Defined(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
