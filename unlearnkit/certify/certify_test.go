package certify

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

var people = Family{Name: "people"}

func TestEstimate_MeanOfMeans(t *testing.T) {
	a, b := uneven("a", 3), uneven("b", 3)
	var values, targets []float64
	n := 0
	for r := range a {
		values, targets = append(values, mean(a[r].Values)), append(targets, mean(b[r].Values))
		n += len(a[r].Values)
	}
	cell := Certify(Repeated(worlds, people, a), Repeated(worlds, people, b), 0.3)
	test := stat.TTestPaired(values, targets)
	for what, pair := range map[string][2]float64{
		"estimate": {cell.Estimate, mean(values)}, "target": {cell.Target, mean(targets)},
		"equivalence": {cell.TOSTP, stat.TOSTPaired(values, targets, -0.3, 0.3).P}, "p": {cell.P, test.P},
		"difference": {cell.Difference, test.Mean.Value}, "lo": {cell.DifferenceLo, test.Mean.Lo},
		"hi": {cell.DifferenceHi, test.Mean.Hi}, "degrees of freedom": {cell.Basis.DF, 2},
	} {
		near(t, what, pair[0], pair[1], 1e-8)
	}
	if want := []Unit{{"worlds", 3, "repeated"}, {"people", 18, "nested"}}; cell.N != n || cell.Seeds != 3 ||
		!(cell.Lo < cell.Estimate && cell.Estimate < cell.Hi) || !reflect.DeepEqual(cell.Basis.Units, want) {
		t.Errorf("%+v, %d rows", cell, n)
	}
}

func TestVerdicts_Borders(t *testing.T) {
	for _, test := range []struct {
		low, high, margin float64
		want              Verdict
	}{
		{-0.09, 0.09, 0.1, Matched},
		{0.01, 0.09, 0.1, Matched}, // the difference is significant but within the margin
		{-0.1, 0.09, 0.1, Unresolved},
		{-0.09, 0.1, 0.1, Unresolved},
		{0.01, 0.1, 0.1, UnderForgotten},
		{0, 0.2, 0.1, Unresolved},
		{-0.1, -0.01, 0.1, OverForgotten},
		{-0.2, 0, 0.1, Unresolved},
		{0, 0, 0, Unresolved},
		{math.NaN(), math.NaN(), 0.1, Unresolved},
	} {
		if got := judge(test.low, test.high, test.margin); got != test.want {
			t.Errorf("[%v, %v] within %v: %s, want %s", test.low, test.high, test.margin, got, test.want)
		}
	}
}

// shifted returns the outcomes minus by, with small fixed deviations.
func shifted(samples []Sample, by float64) []Sample {
	all := slices.Clone(samples)
	for r := range all {
		all[r].Values = slices.Clone(all[r].Values)
		for i := range all[r].Values {
			all[r].Values[i] += -by + 0.001*float64(i%3-1) + 0.0003*float64(r)
		}
	}
	return all
}

func TestVerdicts_Samples(t *testing.T) {
	samples := uneven("a", 5)
	for by, want := range map[float64]Verdict{0: Matched, 0.5: UnderForgotten, -0.5: OverForgotten} {
		cell := Certify(Repeated(worlds, people, samples), Repeated(worlds, people, shifted(samples, by)), 0.1)
		if Adjust([]Cell{cell}); cell.Verdict != want {
			t.Errorf("%v above the target: %+v", by, cell)
		}
	}
	if cell := Certify(Repeated(worlds, people, uneven("a", 2)), Repeated(worlds, people, uneven("b", 2)),
		0.1); cell.Verdict != Unresolved {
		t.Errorf("noise: %+v", cell)
	}
	own := Repeated(worlds, people, samples)
	if cell := Certify(own, own, 0); cell.Verdict == Matched || !math.IsNaN(cell.TOSTP) || cell.P != 1 {
		t.Errorf("without a margin: %+v", cell)
	}
}

// Samples that cannot be certified give NaN.
func TestCertify_NotANumber(t *testing.T) {
	nan := math.NaN()
	for name, samples := range map[string][]Sample{
		"no repetition":     nil,
		"empty repetitions": {{}, {}},
		"NaN":               {{Values: []float64{1, nan}, Units: []int{0, 1}}, {Values: []float64{1}, Units: []int{0}}},
	} {
		o := Repeated(worlds, people, samples)
		cell := Certify(o, o, 0.1)
		for _, number := range []float64{cell.Estimate, cell.Lo, cell.Hi, cell.TOSTP, cell.P, cell.DifferenceP} {
			if cell.Verdict != Unresolved || !math.IsNaN(number) {
				t.Errorf("%s: got %+v, want Verdict %v, number NaN", name, cell, Unresolved)
			}
		}
	}
	whole, target := uneven("a", 2), uneven("b", 3)
	with := Certify(Repeated(worlds, people, append(slices.Clone(whole), Sample{})), Repeated(worlds, people, target),
		0.1)
	without := Certify(Repeated(worlds, people, whole), Repeated(worlds, people, target[:2]), 0.1)
	if with.Seeds != 2 || with.P != without.P || with.Hi != without.Hi || with.Target != without.Target {
		t.Errorf("a repetition without outcomes: %+v and %+v", with, without)
	}
	alone := Once(people, Sample{Values: []float64{0.5}, Units: []int{-1}})
	if cell := Certify(alone, alone, 0.1); cell.Estimate != 0.5 || !math.IsNaN(cell.Lo) || !math.IsNaN(cell.P) ||
		cell.Verdict != Unresolved {
		t.Errorf("one outcome: %+v", cell)
	}
}

func TestAdjust_WithoutTest(t *testing.T) {
	nan := math.NaN()
	cells := []Cell{{P: 0.01, DifferenceP: 0.02}, {P: nan, DifferenceP: nan}, {P: 0.04, DifferenceP: nan},
		{P: 0.03, DifferenceP: 0.03}}
	Adjust(cells)
	want := stat.Holm(make([]float64, 3), []float64{0.01, 0.04, 0.03})
	if cells[0].PAdjusted != want[0] || !math.IsNaN(cells[1].PAdjusted) || cells[2].PAdjusted != want[1] ||
		cells[3].PAdjusted != want[2] {
		t.Errorf("%+v, want %v", cells, want)
	}
	if cells[0].PBasis.Tests != 3 || cells[0].Basis.Tests != 2 || !cells[0].Differs() || cells[1].Differs() ||
		cells[0].DifferenceAdjusted != 0.04 {
		t.Errorf("got %+v, want [0].PBasis.Tests 3, [0].Basis.Tests 2, [0].Differs() true, [1].Differs() false, "+
			"[0].DifferenceAdjusted 0.04",
			cells)
	}
	Adjust(nil)
}

func TestCell_JSON(t *testing.T) {
	nan := math.NaN()
	cell := Cell{Row: "a \"b\"", Column: "ACS", Estimate: 0.5, Lo: nan, Hi: math.Inf(1), N: 3, Seeds: 2, P: nan,
		PAdjusted: 0.25, TOSTP: 0.125, Verdict: Matched, Printed: "0.602", Margin: 1, Difference: nan,
		Basis:  Basis{Test: "Student's t", Units: []Unit{{"worlds", 2, "repeated"}}, DF: 1, Tests: 5},
		PBasis: Basis{Test: "KS"}}
	content, err := json.Marshal([]Cell{cell})
	want := `[{"row":"a \"b\"","column":"ACS","estimate":0.5,"lo":null,"hi":null,"n":3,"seeds":2,"target":0,` +
		`"margin":1,"p":null,"p_adjusted":0.25,"tost_p":0.125,"verdict":"matched","printed":"0.602",` +
		`"difference":null,"difference_lo":0,"difference_hi":0,"difference_p":0,"difference_p_adjusted":0,` +
		`"basis":{"test":"Student's t","units":[{"name":"worlds","n":2,"layout":"repeated"}],"df":1,"tests":5},` +
		`"p_basis":{"test":"KS"}}]`
	if err != nil || string(content) != want {
		t.Errorf("%s %v, want %s", content, err, want)
	}
	cell.Warning = "diverged in 1 of 5 worlds"
	if content, _ := json.Marshal(cell); !strings.Contains(string(content), `"warning":"diverged in 1 of 5 worlds"`) {
		t.Errorf("got %s, want %q in it", content, `"warning":"diverged in 1 of 5 worlds"`)
	}
	if says := cell.Basis.String(); says != "Student's t, 2 worlds (repeated), 1 degrees of freedom, one of 5 tests" {
		t.Errorf("got %v, want %q", says, "Student's t, 2 worlds (repeated), 1 degrees of freedom, one of 5 tests")
	}
}

// Rows are compared on the units that they share.
func TestRows_SharedUnits(t *testing.T) {
	noises := Family{"noises", true}
	a := uneven("a", 5)
	b := shifted(a, 0.2)
	own, other := Repeated(worlds, noises, a), Repeated(worlds, noises, b)
	c := Compare(own, other)
	if !(c.Lo > 0.19 && c.Hi < 0.21) || c.Seeds != 5 || !(c.P < 1e-6) || !math.IsNaN(c.PAdjusted) ||
		len(c.Basis.Units) != 2 {
		t.Errorf("got %+v, want Lo > 0.19, Hi < 0.21, Seeds 5, P < 1e-6, PAdjusted NaN, length 2 of Basis.Units",
			c)
	}
	if back := Compare(other, own); math.Abs(back.Estimate+c.Estimate) > 1e-15 || math.Abs(back.P-c.P) > 1e-9 {
		t.Errorf("%+v and %+v", c, back)
	}
	all := []Comparison{c, Compare(own, own), {P: math.NaN()}}
	AdjustComparisons(all)
	if all[0].PAdjusted != 2*c.P || all[1].PAdjusted != 1 || !math.IsNaN(all[2].PAdjusted) || all[0].Basis.Tests != 2 ||
		!all[0].Differs() || all[1].Differs() {
		t.Errorf("got %+v, want [0].PAdjusted 2*c.P, [1].PAdjusted 1, [2].PAdjusted NaN, [0].Basis.Tests 2, "+
			"[0].Differs() true, [1].Differs() false",
			all)
	}
	guest := c
	guest.Row, guest.Guest = "mine", true
	both := []Comparison{c, guest, Compare(own, own)}
	AdjustComparisons(both)
	if both[0].PAdjusted != 2*c.P || both[1].PAdjusted != c.P || both[0].Basis.Tests != 2 || both[1].Basis.Tests != 1 {
		t.Errorf("got %+v, want [0] corrected for 2 tests and the imported model's row for its own", both)
	}
	if content, err := json.Marshal(all[2]); err != nil || !strings.Contains(string(content), `"p":null`) {
		t.Errorf("got %s %v, want %q in it", content, err, `"p":null`)
	}
}
