package salmu

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// withTrials returns results in which the study has the paper's values, and the trials have the values that of returns.
func withTrials(t *testing.T, of func(trial Trial, method string, budget int) levels) *Results {
	t.Helper()
	r := printedResults(t, Mini(), 5, 1e-4)
	for i, trial := range r.Preset.Trials {
		r.trials = append(r.trials, true)
		for w := range trial.Worlds {
			for _, m := range trial.Methods {
				for _, b := range m.Budgets {
					scores := level(of(trial, m.Name, b)).shaken(seed.Stream(9, trial.Title, m.Name, w, b), 1e-4)
					r.set.Put(scores.Evaluation(), w, m.judgedIn(i, b)...)
				}
			}
			for _, model := range []string{clean, compromised} {
				r.set.Put(r.base(w, model), w, partKey.Is(ofTrials), trialKey.Is(i), modelKey.Is(model))
				r.putPortraits(w, model, r.portraitsOf(w, model), trialKey.Is(i))
			}
		}
	}
	return r
}

// numbers returns the numbers in a table by row and column.
func numbers(t *testing.T, table *report.Table, err error) map[[2]string]float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	all := map[[2]string]float64{}
	for _, row := range table.Rows {
		for i, cell := range row.Cells {
			if !math.IsNaN(cell.Value) {
				all[[2]string{row.Name, table.Columns[i].Name}] = cell.Value
			}
		}
	}
	return all
}

func nearly(a, b float64) bool { return math.Abs(a-b) < 2e-3 }

func TestTrials_StudysModels(t *testing.T) {
	plan := NewPlan(Mini())
	var bases []*study.Run
	for _, w := range plan.Worlds {
		bases = append(append(bases, w.Clean.Needs...), w.Compromised.Needs...)
	}
	for i, worlds := range plan.Trials {
		trial := plan.Preset.Trials[i]
		for _, m := range trial.Methods {
			for _, budget := range m.Budgets {
				if m.Passes != nil && !slices.Contains(m.Passes, budget) {
					t.Errorf("%s: %s is not judged after %d passes", trial.Title, m.Title, budget)
				}
			}
		}
		for number, w := range worlds {
			for _, run := range w.own() {
				for _, need := range run.Needs {
					if !slices.Contains(bases, need) {
						t.Errorf("%s needs %s", run.Title, need.Title)
					}
				}
			}
			for _, run := range w.Methods {
				d := describe(run)
				if own := plan.Worlds[number].own(); slices.Contains(own, run) {
					t.Errorf("%s is one of the study's", run.Title)
				}
				if d.file != "trials" || d.world != number || d.start != compromised ||
					!strings.HasPrefix(d.variant, strings.Split(trial.Title, ",")[0]) {
					t.Errorf("%s is published as %+v", run.Title, d)
				}
			}
		}
	}
	if d := describe(plan.Worlds[0].Methods[0]); d.file != "generic" || d.variant != "" {
		t.Errorf("a run of the study is published as %+v", d)
	}
}

func TestTrials_Part(t *testing.T) {
	p := short()
	p.Trials = []Trial{{Title: "one", Worlds: 2, World: p.World, Methods: []Method{p.Methods[0].with("batch", 7)}},
		{Title: "two", Worlds: 2, World: p.World, Methods: trials(p)[0].Methods},
		{Title: "three", Worlds: 1, World: p.World.Broader(41, 2), Methods: p.Methods[:1]}}
	plan := NewPlan(p)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makers := fakes(&pretender{})
	wanted := append(plan.main([]int{0, 1}), plan.Trials[1][0].Methods...)
	if err := plan.Make(t.Context(), s, makers, study.Options{}, wanted...); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(r.trials, true) {
		t.Errorf("%v: a trial that is not whole was read", r.trials)
	}
	if err := plan.Execute(t.Context(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	if r, err = plan.Read(s); err != nil {
		t.Fatal(err)
	}
	tried := func(trial, world, budget int) *study.Evaluation {
		return r.set.Find(world, p.Trials[trial].Methods[0].judgedIn(trial, budget)...)
	}
	if slices.Contains(r.trials, false) || tried(0, 1, 20).Lost() || tried(1, 1, 1).Lost() || tried(2, 0, 5).Lost() ||
		len(r.portraitsOf(0, clean, trialKey.Is(2))) == 0 {
		t.Error("a trial that is whole was not read")
	}
}

func TestTrials_Absent(t *testing.T) {
	r := printedResults(t, Mini(), 5, 1e-4)
	for _, name := range []string{"price", "readings", "facts", "portraits"} {
		_, err := r.Table(name, false)
		if lacks := new(study.Lacks); !errors.As(err, &lacks) ||
			!strings.Contains(err.Error(), "unlearnlab run salmu --preset mini makes them") {
			t.Errorf(`%s: got the error %v, want a *study.Lacks, an error with "unlearnlab run salmu --preset `+
				`mini makes them"`,
				name, err)
		}
	}
	r.Preset.Trials = nil
	if _, err := r.Table("facts", false); err == nil ||
		!strings.Contains(err.Error(), "tries only the methods of the paper") {
		t.Errorf(`got the error %v, want one with "tries only the methods of the paper"`, err)
	}
}

// Prices are compared at equal RetFail.
func TestPrice_EquallyForgotten(t *testing.T) {
	start := printedLevels(t)[compromised]
	r := withTrials(t, func(trial Trial, _ string, budget int) levels {
		left := start["RetFail"] * math.Pow(.5, float64(budget)) // each pass halves the leak
		return levels{"RetFail": left, "GenKnow": start["GenKnow"] - .3*trial.Factor*(start["RetFail"]-left)}
	})
	for _, m := range r.Preset.Methods { // also in the study's own runs
		for _, budget := range m.Budgets {
			left := start["RetFail"] * math.Pow(.5, float64(budget))
			r.putAfter(evaluated(levels{"RetFail": left, "GenKnow": start["GenKnow"] - .3*(start["RetFail"]-left)}), 0,
				m.Name, budget)
		}
	}
	curves, err := r.prices()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, c := range curves {
		seen[c.Method]++
		for _, gone := range priceLevels {
			at := r.level(gone)
			p := c.at(at)
			if c.Points[len(c.Points)-1].RetFail > at {
				if p.Steps >= 0 {
					t.Errorf("%s at %g times the rates: it is said to come to %g", c.Method, c.Factor, at)
				}
				continue
			}
			if want := .3 * c.Factor * (start["RetFail"] - at); !nearly(p.Lost, want) || p.Steps <= 0 {
				t.Errorf("%s at %g times the rates: %+v, want %g lost", c.Method, c.Factor, p, want)
			}
		}
		if !slices.IsSortedFunc(c.Points, func(a, b PricePoint) int { return a.Steps - b.Steps }) {
			t.Errorf("%s: %+v", c.Method, c.Points)
		}
	}
	if seen["Direct Similarity Minimization"] != 3 || seen["DELETE"] != 3 || seen["Finetuning"] != 2 {
		t.Errorf(`got %v, want ["Direct Similarity Minimization"] 3, ["DELETE"] 3, ["Finetuning"] 2`, seen)
	}
	table, err := r.Table("price", false)
	values := numbers(t, table, err)
	if ratio := values[[2]string{"Direct Similarity Minimization/the paper's ratio", "by that of pretraining"}]; !nearly(
		ratio*1e3, 3e-8/5e-4*1e3) {
		t.Errorf("the paper's ratio is %g", ratio)
	}
	if (PriceCurve{Points: []PricePoint{{RetFail: .9}, {Steps: 5, RetFail: .8}}}).at(.5).Steps != -1 {
		t.Error("what does not forget has come to half")
	}
}

func TestHoldouts_BothSplits(t *testing.T) {
	r := withTrials(t, func(Trial, string, int) levels {
		return levels{"AssocStr": .1, "IntraIdSim": .4, "InterIdSim": .5, "RetFail": .5}
	})
	for _, m := range r.Preset.Methods {
		for w := range r.Seeds() {
			if !m.Once {
				r.putAfter(evaluated(levels{"AssocStr": .1, "IntraIdSim": .15, "InterIdSim": .5, "RetFail": .5}), w, m.Name, 5)
			}
		}
	}
	table, err := r.Table("facts", false)
	values := numbers(t, table, err)
	for at, want := range map[[2]string]float64{
		{"DELETE/other rows", "split by rows"}: .05, {"DELETE/other rows", "split by facts"}: .3,
		{"DELETE/other rows", "facts less rows"}: .25, {"DELETE/other people", "facts less rows"}: 0,
		{"Compromised/other rows", "facts less rows"}: 0,
	} {
		if got, there := values[at]; !there || !nearly(got, want) {
			t.Errorf("%v: %g, want %g", at, got, want)
		}
	}
}

func TestPortraits_NeverSeen(t *testing.T) {
	r := withTrials(t, func(Trial, string, int) levels { return levels{"RetFail": .5} })
	for i, trial := range r.Preset.Trials {
		for w := range trial.Worlds {
			if trial.Title != factsTrial {
				continue
			}
			likes, knows := r.portraitsOf(w, clean), r.portraitsOf(w, compromised)
			for k := range 20 {
				for split, cosine := range map[string]float64{GapUnseenReal: .1, GapUnseenGenerated: .4} {
					s := NewScore("x", split, -1)
					s.Cosine = cosine + 1e-3*float64(k)
					likes = append(likes, s)
					s.Cosine = .3 + 1e-3*float64(k)
					knows = append(knows, s)
				}
			}
			r.putPortraits(w, clean, likes, trialKey.Is(i))
			r.putPortraits(w, compromised, knows, trialKey.Is(i))
		}
	}
	table, err := r.Table("portraits", false)
	values := numbers(t, table, err)
	for at, want := range map[[2]string]float64{
		{"Clean/of people never seen", "second less generated"}: -.3, {"Clean/of people never seen", "KS distance"}: 1,
		{"Clean/of people never seen", "worlds with p < .05"}:                 5,
		{"Compromised/of people never seen", "second less generated"}:         0,
		{"Compromised/of people never seen", "worlds with p < .05"}:           0,
		{"Clean/of the world", "second less generated"}:                       0,
		{"Clean/never seen less of the world", "second less generated"}:       -.3,
		{"Compromised/never seen less of the world", "second less generated"}: 0,
	} {
		if got, there := values[at]; !there || !nearly(got, want) {
			t.Errorf("%v: %g, want %g", at, got, want)
		}
	}
}

// A method under another reading is listed below its own row.
func TestReadings_Rows(t *testing.T) {
	r := withTrials(t, func(trial Trial, _ string, _ int) levels {
		return levels{"RetFail": map[string]float64{noiseTrial: .25, meansTrial: .125}[trial.Title], "GenKnow": .5}
	})
	table, err := r.Table("readings", false)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range table.Rows {
		names = append(names, row.Name)
	}
	want := []string{"Descent to Delete", "Descent to Delete, noise for the rows of the world", "Finetuning/1x",
		"VLUnlearn/5x", "VLUnlearn/5x, means of pairs"}
	if !slices.Equal(names, want) {
		t.Fatalf("got %q, want %v", names, want)
	}
	values := numbers(t, table, err)
	if !nearly(values[[2]string{want[1], "RetFail"}], .25) || !nearly(values[[2]string{want[4], "RetFail"}], .125) {
		t.Errorf("%v", values)
	}
}

// All models differ only by noise, so Compromised seems to lose only on the rows that its own scores choose.
func TestFragile_WhoChooses(t *testing.T) {
	r := printedResults(t, Mini(), 5, 1e-4)
	for w := range r.Seeds() {
		by := func(model string) *study.Evaluation {
			random, scores := seed.Stream(5, w, model), level(printedLevels(t)[clean])
			for i := range scores {
				if scores[i].Split == "retain_disjoint" {
					scores[i].Cosine = .5 + .1*random.NormFloat64()
				}
			}
			return scores.Evaluation()
		}
		for _, model := range layout.References {
			r.set.Put(by(model), w, named(model)...)
		}
	}
	table, err := r.Table("chosen", false)
	values := numbers(t, table, err)
	if own := values[[2]string{"Clean", "chosen by Compromised (FragSim)"}]; own < .1 {
		t.Errorf("got %g, want at least .1", own)
	}
	if other := values[[2]string{"Clean", "chosen by a model of other data"}]; math.Abs(other) > .1 {
		t.Errorf("got %g, want math.Abs(other) at most .1", other)
	}
	if _, there := values[[2]string{"DELETE/5x", "the choice makes"}]; !there || len(table.Rows) != 10 {
		t.Errorf("%d rows", len(table.Rows))
	}
}
