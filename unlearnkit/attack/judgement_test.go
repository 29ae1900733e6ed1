package attack

import (
	"math"
	"testing"
)

// of returns the result of a model and of gold. counts and gold hold the number of units that show the concept at each
// budget.
func of(units int, retained Share, counts, gold []int) *Result {
	r := &Result{Axis: "ψ", Budgets: at,
		Columns: []Column{{Name: "recovered", Share: true, Recovery: true}, {Name: "area"}},
		Models:  []Model{{"A", Unlearned, retained}, {"gold", Gold, Share{}}}}
	for name, counts := range map[string][]int{"A": counts, "gold": gold} {
		for budget, count := range counts {
			for unit := range units {
				value := 0.
				if unit < count {
					value = 1
				}
				r.Rows = append(r.Rows, Row{name, budget, uint64(unit), []float64{value, 1}})
			}
		}
	}
	return r
}

func TestJudgements_TwoQuestions(t *testing.T) {
	nothing, whole := []int{0, 0, 0, 20}, Share{99, 100}
	for _, test := range []struct {
		name         string
		units        int
		retained     Share
		counts, gold []int
		want         Verdict
		left, gain   float64
	}{
		{"help brings back", 20, whole, []int{0, 8, 18, 20}, nothing, Conceals, 0, .65},
		// Wilson's bound is .16, above the margin
		{"and gold as well", 20, whole, []int{0, 8, 18, 20}, []int{0, 8, 18, 20}, Unresolved, 0, 0},
		{"of many nobody shows it", 100, whole, []int{0, 0, 0, 100}, []int{0, 0, 0, 100}, DoesNotConceal, 0, 0},
		{"shown alone", 20, whole, []int{12, 18, 20, 20}, nothing, NotErased, .6, .35},
		{"some shown alone", 20, whole, []int{4, 12, 18, 20}, nothing, Unresolved, .2, .55},
		{"draws nothing", 20, Share{3, 100}, nothing, nothing, Damaged, 0, 0},
		{"six pictures without it are not enough", 6, whole, []int{0, 6, 6, 6}, []int{0, 0, 0, 6}, Unresolved, 0, 1},
		{"one picture", 1, Share{}, []int{0, 1, 1, 1}, []int{0, 0, 0, 1}, Unresolved, 0, 1},
	} {
		all, err := of(test.units, test.retained, test.counts, test.gold).Judgements()
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: got %v, %v, want 1 all", test.name, all, err)
		}
		j := all[0]
		if j.Verdict != test.want || math.Abs(*j.Left.Estimate-test.left) > 1e-12 ||
			math.Abs(*j.Gain.Estimate-test.gain) > 1e-12 || j.Units != test.units || j.Change == "" {
			t.Errorf("%s: %s, left %v, gain %v: %s; want %s", test.name, j.Verdict, j.Left, j.Gain, j.Change, test.want)
		}
	}
}

// Of twenty pictures, eight gain 0, four .5 and eight 1. The interval and the p-value are scipy's:
// stats.ttest_1samp([0]*8+[.5]*4+[1]*8, 0) and its confidence_interval().
func TestJudgements_GainEqualsScipy(t *testing.T) {
	all, err := of(20, Share{}, []int{0, 8, 12, 20}, []int{0, 0, 0, 20}).Judgements()
	if err != nil {
		t.Fatal(err)
	}
	j := all[0]
	if math.Abs(*j.Gain.Lo-.28526026297835755) > 1e-9 || math.Abs(*j.Gain.Hi-.7147397370216424) > 1e-9 ||
		math.Abs(*j.P/.00010554525019981512-1) > 1e-9 {
		t.Errorf("got %v, p %v, want *j.Gain.Lo near .28526026297835755, *j.Gain.Hi near .7147397370216424, "+
			"*j.P/.00010554525019981512 near 1",
			j.Gain, *j.P)
	}
}

func TestJudgements_WithoutGold(t *testing.T) {
	r := of(20, Share{}, []int{0, 8, 18, 20}, nil)
	r.Models = r.Models[:1]
	if all, err := r.Judgements(); err != nil || all != nil {
		t.Errorf("got %v, %v, want all nil", all, err)
	}
}
