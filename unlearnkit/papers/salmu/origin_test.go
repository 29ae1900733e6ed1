package salmu

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/origintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// madeUpStudy executes the short preset with artificial scores. It returns the plan and its store.
func madeUpStudy(t *testing.T) (*Plan, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan := NewPlan(short())
	if err := plan.Execute(t.Context(), s, fakes(&pretender{}), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return plan, s
}

// A cell names the runs that it is computed from, and no others.
func TestOrigin_Runs(t *testing.T) {
	plan, s := madeUpStudy(t)
	origintest.Study{Plan: &plan.Plan, Store: s, Tables: []string{"4", "5", "6"},
		Read: func(s *store.Store) (study.Tracer, error) { return plan.Read(s) },
		Change: func(column string, value float64) float64 {
			switch column {
			case "identity":
				return value
			case "rank":
				return value + 1
			}
			return (1 - value) / 2 // reverses the order of cosines and moves them closer together
		}}.Exact(t)
}
