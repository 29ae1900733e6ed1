package concealment

import (
	"math"
	"testing"
)

// The values follow from the formulas at cosines -1, 0, .5 and 1.
func TestCRS_Equations(t *testing.T) {
	tests := []struct{ cosine, retain, forget float64 }{{-1, 1.5, -.5}, {0, 1, 0}, {.5, .7048, .2952}, {1, .5, .5}}
	for _, test := range tests {
		retain, forget := crs(true, test.cosine), crs(false, test.cosine)
		if math.Abs(retain-test.retain) > 5e-5 || math.Abs(forget-test.forget) > 5e-5 {
			t.Errorf("cosine %g: %.4f and %.4f, want %g and %g", test.cosine, retain, forget, test.retain, test.forget)
		}
		if back := crsNeeds(true, retain); math.Abs(back-test.cosine) > 1e-9 {
			t.Errorf("a score of %g needs a cosine of %g, want %g", retain, back, test.cosine)
		}
	}
}
