package unslu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// madeUp is the whole study over some worlds with made-up scores.
func madeUp(t *testing.T, worlds int) (*unslu.Plan, *store.Store) {
	t.Helper()
	p := unslu.Mini()
	p.Worlds = worlds
	return made(t, p)
}

// made is a preset with made-up scores.
func made(t *testing.T, p unslu.Preset) (*unslu.Plan, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan := unslu.NewPlan(p)
	err = plan.Execute(t.Context(), s, unslu.Makers(madeup.Maker{}), study.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return plan, s
}

// results are those of made-up scores.
func results(t *testing.T, worlds int) *unslu.Results {
	t.Helper()
	plan, s := madeUp(t, worlds)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
