package chart_test

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func TestStatistics_Refused(t *testing.T) {
	_, bins := chart.NullCalibration("", []chart.Sample{{Values: one}}, 1)
	_, outside := chart.NullCalibration("", []chart.Sample{{Name: "t", Values: []float64{1.5}}}, 10)
	_, power := chart.PowerCurve("", "", nil, .8)
	_, target := chart.PowerCurve("", "", nil, 80)
	_, margin := chart.IntervalForest("", "", "", nil, -1)
	tests := []struct {
		err  error
		want string
	}{
		{bins, "null calibration: 1 bins; use 2 to 100"},
		{outside, `histogram: sample "t": values from 1.5 to 1.5 on an axis from 0 to 1`},
		{power, "lines: nothing to draw"},
		{target, "power curve: target 80; give a power between 0 and 1"},
		{margin, "interval forest: margin -1; give the largest difference that does not matter"},
	}
	for _, test := range tests {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("got %v, want %s …", test.err, test.want)
		}
	}
}

func TestForest_Margin(t *testing.T) {
	tests := []struct {
		lo, hi float64
		want   string
	}{
		{-.5, .5, "equivalent"}, {.1, .9, "equivalent"}, {-.5, 1.5, "unresolved"}, {.5, 1, "unresolved"},
		{1.1, 2, "larger"}, {-2, -1.1, "smaller"},
	}
	for _, test := range tests {
		figure, err := chart.IntervalForest("", "", "", []chart.Estimate{{Lo: test.lo, Hi: test.hi}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := figure.Data().(chart.DotWhisker).Rows[0].Verdict.String(); got != test.want {
			t.Errorf("%g to %g: %s, want %s", test.lo, test.hi, got, test.want)
		}
	}
}
