package plots_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

func TestPaperFiguresRefuseWhatTheyCannotDraw(t *testing.T) {
	_, noCells := plots.GUMResiduals(nil, .001)
	_, noTolerance := plots.GUMResiduals([]audit.GUMValue{{}}, 0)
	_, notANumber := plots.GUMResiduals([]audit.GUMValue{{Column: "c", Row: "r", F1: math.NaN()}}, .001)
	_, alike := plots.CRSRange([]audit.CRSValue{{}}, 1)
	_, bins := plots.NullCalibration("", []plots.Sample{{Values: one}}, 1)
	_, outside := plots.NullCalibration("", []plots.Sample{{Name: "t", Values: []float64{1.5}}}, 10)
	_, power := plots.PowerCurve("", "", nil, .8)
	_, target := plots.PowerCurve("", "", nil, 80)
	_, margin := plots.IntervalForest("", "", "", nil, -1)
	tests := []struct {
		err  error
		want string
	}{
		{noCells, "GUM residuals: nothing to draw"},
		{noTolerance, "GUM residuals: tolerance 0; give what rounding can explain"},
		{notANumber, "GUM residuals: c, r: value 3 is NaN"},
		{alike, "CRS range: alike is 1; give a cosine between 0 and 1"},
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

func TestAForestJudgesByItsMargin(t *testing.T) {
	tests := []struct {
		lo, hi float64
		want   string
	}{
		{-.5, .5, "equivalent"}, {.1, .9, "equivalent"}, {-.5, 1.5, "unresolved"}, {.5, 1, "unresolved"},
		{1.1, 2, "larger"}, {-2, -1.1, "smaller"},
	}
	for _, test := range tests {
		figure, err := plots.IntervalForest("", "", "", []plots.Estimate{{Lo: test.lo, Hi: test.hi}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := figure.Data().(plots.DotWhisker).Rows[0].Verdict.String(); got != test.want {
			t.Errorf("%g to %g: %s, want %s", test.lo, test.hi, got, test.want)
		}
	}
}

func TestAFigureDoesNotClaimWhatItsNumbersDoNotShow(t *testing.T) {
	gum, err := plots.GUMResiduals([]audit.GUMValue{{Column: "c", Row: "r", Printed: .5, Accuracy: .52, F1: .5}}, .001)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(gum.Title, "not from macro F1") {
		t.Errorf("title %q where macro F1 gives the printed value", gum.Title)
	}
	crs, err := plots.CRSRange([]audit.CRSValue{{Retain: true, Printed: .51}, {Retain: true, Printed: .2}}, .7)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(crs.Title, "No similar") || !strings.Contains(crs.Caption, "1 of 2") {
		t.Errorf("title %q, caption %q where similar pictures give the printed value", crs.Title, crs.Caption)
	}
}
