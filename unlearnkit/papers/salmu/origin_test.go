package salmu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/origintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// madeUpStudy is the short preset with made-up scores.
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

func TestCellsNameTheRunsThatTheyAreComputedFromAndNoOthers(t *testing.T) {
	plan, s := madeUpStudy(t)
	origintest.Study{Plan: &plan.Plan, Store: s, Tables: TableNumbers,
		Read: func(s *store.Store) (study.Tracer, error) { return plan.Read(s) },
		Change: func(column string, value float64) float64 {
			switch column {
			case "identity":
				return value
			case "rank":
				return value + 1
			}
			return 1 - value // which puts cosines into the opposite order
		}}.Exact(t)
}

// What a column reads of a file are the very examples of its outcomes, and their scores.
func TestTheRowsOfACellAreItsOutcomes(t *testing.T) {
	plan, s := madeUpStudy(t)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Columns() {
		trace, err := study.TraceCell(r, "5", rowName(plan.Preset.Methods[0], 5), c.Name, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Opened[0].For != study.ForValue || len(trace.Opened[0].Runs) != len(r.Worlds) {
			t.Fatalf("%s: %+v", c.Name, trace.Opened[0])
		}
		for world, run := range trace.Opened[0].Runs {
			var units, read []string
			values, of := map[float64]bool{}, 0
			for _, o := range c.Outcomes(r.Worlds[world].Methods[0][5], r.Worlds[world].Compromised) {
				units = append(units, fmt.Sprint(o.Unit))
				values[o.Value] = true
			}
			for _, row := range run.First {
				read = append(read, fmt.Sprint(row.Values["identity"]))
				for _, name := range trace.Opened[0].Values {
					value, there := row.Values[name].(float64)
					if c.Name == "RetFail" {
						value = 1 / value
					}
					if there && values[value] {
						of++
					}
				}
			}
			slices.Sort(units)
			slices.Sort(read)
			if !slices.Equal(units, read) || of != len(units) || run.Rows != len(units) || run.Budget != 5 ||
				*run.Repetition != world {
				t.Errorf("%s of world %d: %d values of the rows %q, want those of %q; %+v", c.Name, world, of, read,
					units, run.Run)
			}
		}
	}
}
