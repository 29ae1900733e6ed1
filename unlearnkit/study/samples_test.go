package study

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

func TestSamples_Examples(t *testing.T) {
	e := Evaluated(&safefile.Frame{Columns: []safefile.Column{
		{Name: "clip", Texts: []string{"a", "b", "c"}},
		{Name: "take", Values: []float64{1, 1, 2}},
		{Name: "first", Values: []float64{2, math.NaN(), 4}},
		{Name: "second", Values: []float64{8, 16, 32}},
	}})
	names := func(m Metric) (ids []string, values []float64) {
		for _, s := range m.Samples(e, nil, 3) {
			if s.Repetition != 3 {
				t.Errorf("%s is of repetition %d, want 3", s.ID, s.Repetition)
			}
			ids, values = append(ids, s.ID), append(values, s.Value)
		}
		return ids, values
	}
	half := Mean("first")
	half.Value = func(v float64) float64 { return v / 2 }
	for _, test := range []struct {
		metric Metric
		ids    []string
		values []float64
	}{
		{Metric{Score: half, By: []string{"clip", "take"}}, []string{"a, take 1", "c, take 2"}, []float64{1, 2}},
		{Metric{Score: Mean("first", "second"), By: []string{"clip"}},
			[]string{"a first", "c first", "a second", "b second", "c second"}, []float64{2, 4, 8, 16, 32}},
		{Metric{Score: Mean("second")}, []string{"row 1", "row 2", "row 3"}, []float64{8, 16, 32}},
		{Metric{Score: Number("the number of rows", func(rows Rows) float64 {
			return float64(len(rows.Numbers("second")))
		}, "second")}, []string{""}, []float64{3}},
	} {
		test.metric.Unit, test.metric.Name = "take", test.metric.Score.How
		if ids, values := names(test.metric); !slices.Equal(ids, test.ids) || !slices.Equal(values, test.values) {
			t.Errorf("%v: %q with %v, want %q with %v", test.metric.Score.How, ids, values, test.ids, test.values)
		}
	}
	if got := (Metric{Score: half}).Samples(&Evaluation{}, nil, 0); got != nil {
		t.Errorf("a diverged model has samples %v", got)
	}
}
