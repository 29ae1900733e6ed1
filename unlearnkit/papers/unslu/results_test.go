package unslu_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/origintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// A cell names the runs that it is computed from, and no others.
func TestOrigin_Runs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	p := unslu.Smoke()
	p.Worlds = 2
	for i := range p.Benchmarks {
		p.Benchmarks[i].Methods = p.Benchmarks[i].Methods[1:3]
	}
	p.Rates = unslu.RateSweep{}
	plan, s := made(t, p)
	turn := 0.
	origintest.Study{Plan: &plan.Plan, Store: s, Tables: unslu.TableNumbers,
		Read: func(s *store.Store) (study.Tracer, error) { return plan.Read(s) },
		Change: func(column string, value float64) float64 {
			switch column {
			case "predicted":
				return 0
			case "loss": // rises, so that the attack finds the forget clips, which come first
				turn++
				return math.Mod(turn, 160) / 40
			case "seconds":
				return 2 * value
			}
			return value
		}}.Exact(t)
}

func cell(t *testing.T, r *unslu.Results, table, row, column string) certify.Cell {
	t.Helper()
	cells, err := r.Cells(table)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(cells, func(c certify.Cell) bool { return c.Row == row && c.Column == column })
	if at < 0 {
		t.Fatalf("table %s has no %s of %s", table, column, row)
	}
	return cells[at]
}

func TestCell_MeanOverWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	r := results(t)
	const row, benchmark = "SLURP*/HuBERT/SCRUB", 3
	chosen := r.Chosen(benchmark, unslu.Validation, metric.GUMOnAccuracy)
	var f1, attack, speed, gum float64
	for _, w := range r.Worlds {
		b := w.Benchmarks[benchmark]
		m := b.Methods[7][chosen[7]]
		classify := func(m *unslu.Model) metric.Classification {
			var truth, predicted []int
			for _, s := range m.Scores {
				if s.Split == unslu.Test {
					truth, predicted = append(truth, s.Label), append(predicted, s.Predicted)
				}
			}
			return metric.Classify(truth, predicted)
		}
		mia := func(m *unslu.Model) float64 {
			var members, others []float64
			for _, s := range m.Scores {
				switch s.Split {
				case unslu.Forget:
					members = append(members, s.Loss)
				case unslu.Test:
					others = append(others, s.Loss)
				}
			}
			mean := 0.
			for draw := range uint64(100) {
				mean += metric.LossMIA(members, others, seed.Stream(draw, "unslu", "attack", unslu.Test)).MIA / 100
			}
			return mean
		}
		f1 += classify(m).MacroF1 / 3
		attack += mia(m) / 3
		speed += b.Gold.Cost().Seconds / m.Cost().Seconds / 3
		gum += metric.GUM(metric.GUMInput{AccuracyGold: classify(b.Gold).Accuracy,
			AccuracyUnlearned: classify(m).Accuracy, MIAOriginal: mia(b.Original), MIAGold: mia(b.Gold),
			MIAUnlearned: mia(m),
			SecondsGold:  b.Gold.Cost().Seconds, SecondsUnlearned: m.Cost().Seconds}, metric.GUMOnAccuracy).GUM / 3
	}
	for column, want := range map[string]float64{"F1_T": f1, "MIA": attack, "Speedup": speed, "GUM": gum} {
		if got := cell(t, r, "2", row, column); math.Abs(got.Estimate-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", column, got.Estimate, want)
		}
	}
	if got := cell(t, r, "2", row, "GUM").Printed; got != ".350" {
		t.Errorf("the paper prints a GUM of %q there", got)
	}
	if got := cell(t, r, "5", "2", "GUM, one time"); math.IsNaN(got.Estimate) {
		t.Error("Table 5 has no GUM with one time")
	}
}

// Rows that unlearn nothing have a GUM of 0 and a speed-up of 1 by definition, without intervals.
func TestGUM_NothingUnlearned(t *testing.T) {
	r := results(t)
	for _, row := range []string{"FSC/HuBERT/Orig.", "FSC/HuBERT/Gold"} {
		if gum, speed := cell(t, r, "1", row, "GUM"), cell(t, r, "1", row, "Speedup"); gum.Estimate != 0 ||
			speed.Estimate != 1 {
			t.Errorf("%s: GUM %v, speed-up %v", row, gum.Estimate, speed.Estimate)
		} else if !math.IsNaN(gum.Lo) || !math.IsNaN(speed.Hi) {
			t.Errorf("%s: what is so by definition is certified from %v to %v", row, gum.Lo, speed.Hi)
		}
	}
	readings, err := r.Table("readings", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readings.Rows {
		for i, c := range row.Cells {
			defined := !strings.HasPrefix(readings.Columns[i].Name, "NoMUS") &&
				(strings.HasSuffix(row.Name, "/Gold") || strings.HasSuffix(row.Name, "/Orig."))
			if defined == strings.Contains(c.Text, "[") {
				t.Errorf("%s, %s: got %q, want defined other than %v",
					row.Name, readings.Columns[i].Name, c.Text, strings.Contains(c.Text, "["))
			}
		}
	}
}

func TestRates_Diverged(t *testing.T) {
	r := results(t)
	for i, b := range r.Preset.Benchmarks {
		for m, method := range b.Methods {
			for _, split := range []string{unslu.Validation, unslu.Test} {
				chosen := r.Chosen(i, split, metric.GUMOnAccuracy)[m]
				for _, w := range r.Worlds {
					if w.Benchmarks[i].Methods[m][chosen].Scores == nil {
						t.Errorf("%s: %s at rate %g", b.Name(), method.Title, method.Rates[chosen])
					}
				}
			}
		}
	}
}

func TestTables_Text(t *testing.T) {
	r := results(t)
	for _, name := range append(slices.Clone(unslu.TableNumbers), "rates", "readings", "draws", "speakers", "backbones") {
		for _, certified := range []bool{false, true} {
			table, err := r.Table(name, certified)
			if err != nil || len(table.Rows) == 0 {
				t.Errorf("table %s: %v", name, err)
				continue
			}
			var text strings.Builder
			if err := table.Text(&text); err != nil || strings.Contains(text.String(), "NaN") {
				t.Errorf("table %s: %v\n%s", name, err, text.String())
			}
		}
	}
	if _, err := r.Table("6", false); err == nil || err.Error() != `the study has no table "6"; it has 1, 2, 3, 4, 5` {
		t.Error(err)
	}
}

// The one world of quick is the first world of mini.
func TestQuick_FirstWorld(t *testing.T) {
	whole := unslu.NewPlan(unslu.Mini())
	for _, run := range unslu.NewPlan(unslu.Quick()).Runs() {
		if !slices.ContainsFunc(whole.Runs(), func(other *study.Run) bool { return other.Key() == run.Key() }) {
			t.Errorf("mini has no %s", run.Title)
		}
	}
}
