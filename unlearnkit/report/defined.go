package report

import "math"

// Defined returns a pointer to x for JSON. If x is NaN or infinite, it returns nil, which is encoded as null.
func Defined(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
