package certify

import (
	"math"
	"strings"
	"testing"
)

// The interval is Student's over one value per repetition: 2.5 ± t(.975; 3)·s/√4 for 1, 2, 3 and 4, by scipy.stats.t.
func TestAlone_NoVerdict(t *testing.T) {
	var samples []Sample
	for _, v := range []float64{1, 2, 3, 4} {
		samples = append(samples, Sample{Values: []float64{v}, Units: []int{0}})
	}
	noun, family := Repetitions{Singular: "world", Plural: "worlds"}, Family{Name: "models"}
	cell := Alone(Repeated(noun, family, samples))
	if cell.Estimate != 2.5 || math.Abs(cell.Lo-.44573974) > 1e-6 || math.Abs(cell.Hi-4.55426026) > 1e-6 {
		t.Errorf("got %v [%v, %v], want cell.Estimate 2.5, cell.Lo near .44573974, cell.Hi near 4.55426026",
			cell.Estimate, cell.Lo, cell.Hi)
	}
	if cell.Verdict != "" || !math.IsNaN(cell.Target) || !math.IsNaN(cell.DifferenceP) ||
		cell.Seeds != 4 || cell.N != 4 {
		t.Errorf(`got %+v, want Verdict "", Target NaN, DifferenceP NaN, Seeds 4, N 4`, cell)
	}
	lost := Alone(Repeated(noun, family, append(samples[:3:3], Sample{})))
	if lost.Estimate != 2 || lost.Seeds != 3 {
		t.Errorf("without a repetition: %+v", lost)
	}
	if one := Alone(Repeated(noun, family, samples[:1])); one.Estimate != 1 || !math.IsNaN(one.Lo) {
		t.Errorf("of one repetition: %+v", one)
	}
}

// A number that depends on a model trained once says so, and whether anything is repeated.
func TestBasis_Once(t *testing.T) {
	family := Family{Name: "noises", Crossed: true}
	method, gold := uneven("a", 3), uneven("b", 1)
	panel := &Panel{}
	panel.Add("method", Repeated(Repetitions{"training", "trainings"}, family, method))
	panel.Add("gold", Once(family, gold[0]))
	for name, test := range map[string]struct {
		of            Quantity
		once, repeats bool
	}{
		"method":     {Mean("method"), false, true},
		"gold":       {Mean("gold"), true, false},
		"difference": {Difference(Mean("method"), Mean("gold")), true, true},
		"no gold":    {Difference(Mean("method"), Times(0, Mean("gold"))), false, true},
	} {
		b := panel.Estimate(test.of).Basis
		if b.Once != test.once || b.Repeats() != test.repeats {
			t.Errorf("%s: got %+v, want Once %v and Repeats %v", name, b, test.once, test.repeats)
		}
		if text := Describe([]Basis{b}); strings.Contains(text, "trained once") != test.once {
			t.Errorf("%s: got %q, want a sentence about one training: %v", name, text, test.once)
		}
	}
}
