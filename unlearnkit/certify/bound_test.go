package certify

import (
	"math"
	"testing"
)

// A quantity at a bound or at an extremum, where its derivative is zero, is as uncertain as the mean from which it is
// computed.
func TestPanel_FlatQuantity(t *testing.T) {
	var p Panel
	p.Add("mean", Repeated(worlds, Family{}, rows([][]float64{{-.3}, {.2}, {-.2}, {.1}, {-.05}})))
	mean := p.Estimate(Mean("mean")) // -.05, with an interval that contains zero
	for _, test := range []struct {
		name string
		of   func(mean float64) float64
		hi   float64
	}{
		{"above a bound", func(x float64) float64 { return max(0, x) }, mean.Hi},
		{"near an extremum", func(x float64) float64 { return (x - mean.Value) * (x - mean.Value) },
			(mean.Hi - mean.Value) * (mean.Hi - mean.Value)},
		{"constant", func(float64) float64 { return 1 }, 1},
	} {
		e := p.Estimate(func(m Means) float64 { return test.of(m("mean")) })
		if math.Abs(e.Hi-test.hi) > 1e-9 {
			t.Errorf("%s: got %v [%v, %v], want an upper end of %v", test.name, e.Value, e.Lo, e.Hi, test.hi)
		}
	}
}
