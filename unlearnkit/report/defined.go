package report

import "math"

// Defined is a number as JSON has it: nil, which is null, for those that JSON cannot write.
func Defined(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
