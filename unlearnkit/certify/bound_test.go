package certify

import (
	"math"
	"testing"
)

// A quantity at a bound or at an extremum, where its derivative is zero, is as uncertain as the mean from which it is
// computed: by the bootstrap over repetitions, or by the steepest slope if units are crossed with repetitions.
func TestPanel_FlatQuantity(t *testing.T) {
	values := []float64{-.3, .2, -.2, .1, -.05}
	samples := func() (all [][]float64) {
		for _, v := range values {
			all = append(all, []float64{v})
		}
		return all
	}
	var p Panel
	p.Add("mean", Repeated(worlds, Family{}, rows(samples())))
	p.Add("crossed", Repeated(worlds, Family{Crossed: true}, rows(samples())))
	mean := p.Estimate(Mean("mean")) // -.05, with an interval that contains zero
	for _, test := range []struct {
		name    string
		of      func(mean float64) float64
		crossed float64 // upper end by the steepest slope
	}{
		{"above a bound", func(x float64) float64 { return max(0, x) }, mean.Hi},
		{"near an extremum", func(x float64) float64 { return (x - mean.Value) * (x - mean.Value) },
			(mean.Hi - mean.Value) * (mean.Hi - mean.Value)},
		{"constant", func(float64) float64 { return 1 }, 1},
	} {
		e := p.Estimate(func(m Means) float64 { return test.of(m("crossed")) })
		if math.Abs(e.Hi-test.crossed) > 1e-9 {
			t.Errorf("%s, crossed: got %v [%v, %v], want an upper end of %v", test.name, e.Value, e.Lo, e.Hi, test.crossed)
		}
		e = p.Estimate(func(m Means) float64 { return test.of(m("mean")) })
		want := quantile(.975, 4) * math.Sqrt(squares(values, test.of, e.Value)*5/4)
		if got := e.Hi - e.Value; math.Abs(got-want) > .1*want {
			t.Errorf("%s: got %v [%v, %v], want a half width of %v", test.name, e.Value, e.Lo, e.Hi, want)
		}
	}
}

// squares returns the mean squared distance from value of a function of the mean, over all 5⁵ resamples of five values.
func squares(values []float64, of func(mean float64) float64, value float64) (sum float64) {
	for number := range 3125 {
		mean := 0.
		for range values {
			mean += values[number%5] / 5
			number /= 5
		}
		sum += (of(mean) - value) * (of(mean) - value) / 3125
	}
	return sum
}
