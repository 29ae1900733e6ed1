package plots

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"gonum.org/v1/plot"
)

func labelled(marks []plot.Tick) string {
	var names []string
	for _, m := range marks {
		if !m.IsMinor() {
			names = append(names, m.Label)
		}
	}
	return strings.Join(names, " ")
}

// Ticks are round numbers with distinct labels.
func TestTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		ticks  ticks
		want   string
	}{
		{0, 1, ticks{room: 5}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 1, ticks{room: 4}, "0.00 0.25 0.50 0.75 1.00"},
		{-.014, .008, ticks{room: 5}, "−0.010 −0.005 0.000 0.005"},
		{-.3, .3, ticks{room: 3}, "−0.2 0.0 0.2"},
		{3, 97, ticks{room: 5}, "20 40 60 80"},
		{1e6, 3e6, ticks{room: 3}, "1000000 2000000 3000000"},
		{.99, 1.01, ticks{room: 4}, "0.990 0.995 1.000 1.005 1.010"},
		{1e-7, 1e-3, ticks{room: 8, log: true}, "1e−7 1e−6 1e−5 1e−4 1e−3"},
		{1e-7, 1e-1, ticks{room: 3, log: true}, "1e−6 1e−4 1e−2"},
		{4, 60, ticks{room: 8, log: true}, "5 10 20 50"},
	}
	for _, test := range tests {
		if got := labelled(test.ticks.Ticks(test.lo, test.hi)); got != test.want {
			t.Errorf("%g to %g, room for %d: %q, want %q", test.lo, test.hi, test.ticks.room, got, test.want)
		}
	}
}

func TestAxis_ReachesData(t *testing.T) {
	tests := []struct {
		name   string
		axis   chart.Axis
		values []float64
		lo, hi float64 // bounds that the axis must include
	}{
		{"data", chart.Axis{}, []float64{3, 1, 2}, 1, 3},
		{"one value", chart.Axis{}, []float64{5}, 4.9, 5.1},
		{"only zero", chart.Axis{}, []float64{0}, -.1, .1},
		{"values that differ in their last digits", chart.Axis{}, []float64{1e16, 1e16 + 2}, 1e16, 1e16 + 2},
		{"logarithmic", chart.Axis{Log: true}, []float64{1e-6, 1e-3}, 1e-6, 1e-3},
		{"one value, logarithmic", chart.Axis{Log: true}, []float64{2}, 1.9, 2.1},
	}
	for _, test := range tests {
		lo, hi := test.axis.Span(test.values)
		if lo > test.lo || hi < test.hi || test.axis.Log && lo <= 0 {
			t.Errorf("%s: from %g to %g", test.name, lo, hi)
		}
		if marks := (ticks{room: 8, log: test.axis.Log}).Ticks(lo, hi); len(marks) == 0 || len(marks) > 100 {
			t.Errorf("%s: %d ticks", test.name, len(marks))
		}
	}
	if lo, hi := (chart.Axis{Min: 2, Max: 4}).Span([]float64{0, 9}); lo != 2 || hi != 4 {
		t.Errorf("a fixed axis runs from %g to %g", lo, hi)
	}
}
