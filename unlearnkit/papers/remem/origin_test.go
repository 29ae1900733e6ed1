package remem_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/internal/testkit/origintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// smoke executes the smallest preset with artificial scores. It returns the plan and its store.
func smoke(t *testing.T, worlds int) (*remem.Plan, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := remem.Smoke()
	p.Worlds, p.First, p.Choices = worlds, 1, 40
	plan := remem.NewPlan(p)
	err = plan.Execute(t.Context(), s, madeup.Makers(), study.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return plan, s
}

// A cell names the runs that it is computed from, and no others.
func TestOrigin_Runs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, s := smoke(t, 1)
	origintest.Study{Plan: &plan.Plan, Store: s, Tables: []string{"2", "3", "4", "5"},
		Read: func(s *store.Store) (study.Tracer, error) { return plan.Read(s) },
		Change: func(column string, value float64) float64 {
			switch column {
			case "right", "rouge":
				return 1 - value
			case "rule_judge", "min_k", "inverse_perplexity":
				return value / 2
			case "rank":
				return value + 1
			case "chosen": // no option is right in every order
				return 0
			}
			return value
		}}.Exact(t)
}

func TestAgainst_EachSize(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, s := smoke(t, 3)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	each, err := r.Against("2", "gold")
	if err != nil {
		t.Fatal(err)
	}
	one, err := r.Against("2", "L/Gold")
	if err != nil {
		t.Fatal(err)
	}
	rows := 1 + len(plan.Preset.Methods) // one row for the taught model, and one for each method
	if len(each.All) != 2*12*rows || len(one.All) != 12*rows {
		t.Fatalf("%d and %d comparisons of %d rows with 12 columns", len(each.All), len(one.All), rows)
	}
	cells, err := r.Cells("2")
	if err != nil {
		t.Fatal(err)
	}
	value := map[[2]string]float64{}
	for _, c := range cells {
		value[[2]string{c.Row, c.Column}] = c.Estimate
	}
	for _, c := range each.All {
		want := value[[2]string{c.Row, c.Column}] - value[[2]string{c.Against, c.Column}]
		if size, _, _ := strings.Cut(c.Row, "/"); c.Against != size+"/Gold" || math.Abs(c.Estimate-want) > 1e-9 {
			t.Errorf("%s less %s in %s is %v, want %v", c.Row, c.Against, c.Column, c.Estimate, want)
		}
	}
	if _, err := r.Against("2", "GAA"); err == nil || !strings.Contains(err.Error(), `"GAA"`) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("a row that there is not: %v", err)
	}
}
