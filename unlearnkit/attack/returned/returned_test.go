package returned

import (
	"fmt"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// curve returns the mean score of a model at a budget: 0, 1 or 2.
type curve func(budget int) float64

func flat(value float64) curve { return func(int) float64 { return value } }

// rises returns a curve from one value before the attack to another at its largest budget.
func rises(from, to float64) curve {
	return func(budget int) float64 { return from + (to-from)*float64(budget)/2 }
}

// measured simulates scores of 20 persons in each of six worlds, and measures them.
func measured(own, original, gold, control curve, kept float64) Returned {
	random, worlds := seed.Stream(1, "returned"), certify.Repetitions{Singular: "world", Plural: "worlds"}
	panel, all := &certify.Panel{}, map[string]curve{"own": own, "original": original, "gold": gold, "control": control}
	add := func(name string, mean float64) {
		samples := make([]certify.Sample, 6)
		for i := range samples {
			for person := range 20 {
				samples[i].Values = append(samples[i].Values, mean+.02*random.NormFloat64())
				samples[i].Units = append(samples[i].Units, person)
			}
		}
		panel.Add(name, certify.Repeated(worlds, certify.Family{Name: "people"}, samples))
	}
	named := func(model string) func(int) string {
		return func(budget int) string { return fmt.Sprint(model, " ", budget) }
	}
	for _, model := range []string{"own", "original", "gold", "control"} {
		for budget := range 3 {
			add(named(model)(budget), all[model](budget))
		}
	}
	add("kept", kept)
	add("whole", 1)
	return Measure(panel, Models{Unlearned: named("own"), Original: named("original"), Gold: named("gold"),
		Control: named("control"), Budgets: 3, Kept: "kept", Whole: "whole"}, 10)
}

func TestMeasure_Verdicts(t *testing.T) {
	original, gold := flat(.8), flat(.1)
	for name, test := range map[string]struct {
		own, original, gold, control curve
		kept                         float64
		want                         certify.Verdict
		start, gain                  float64
	}{
		"the original itself":        {original, original, gold, gold, 1, NotErased, 1, 0},
		"gold itself":                {gold, original, gold, gold, 1, AsGold, 0, 0},
		"it was never gone":          {flat(.5), original, gold, gold, 1, NotErased, .4 / .7, 0},
		"it comes back":              {rises(.1, .6), original, gold, gold, 1, ComesBack, 0, (.25 + .5) / 1.4},
		"from a damaged model, too":  {rises(.1, .6), original, gold, gold, .5, ComesBack, 0, (.25 + .5) / 1.4},
		"nothing comes from a wreck": {gold, original, gold, gold, .5, Damaged, 0, 0},
		"the attack teaches it":      {rises(.1, .6), original, rises(.1, .3), rises(.1, .6), 1, certify.Untestable, 0, .45 / 1.1},
		"gold learns as much":        {rises(.1, .3), original, rises(.1, .3), rises(.1, .3), 1, AsGold, 0, 0},
		"nobody knows it":            {gold, gold, gold, gold, 1, certify.Untestable, math.NaN(), math.NaN()},
		"an attack wears it down":    {rises(.1, .4), rises(.8, .4), gold, gold, 1, ComesBack, 0, .45 / .8},
	} {
		r := measured(test.own, test.original, test.gold, test.control, test.kept)
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s (start %.3f, gain %.3f, control %.3f)", name, r.Verdict, test.want, r.Start.Value,
				r.Gain.Value, r.Control.Value)
		}
		if math.IsNaN(test.start) {
			continue
		}
		if math.Abs(r.Start.Value-test.start) > .02 || math.Abs(r.Gain.Value-test.gain) > .02 ||
			math.Abs(r.Share.Value-r.Start.Value-r.Gain.Value) > 1e-12 {
			t.Errorf("%s: start %.3f and gain %.3f, want %.3f and %.3f", name, r.Start.Value, r.Gain.Value, test.start, test.gain)
		}
	}
}
