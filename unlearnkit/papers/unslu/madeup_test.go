package unslu_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// made executes a preset's plan with artificial scores. It returns the plan and its store.
func made(t *testing.T, p unslu.Preset) (*unslu.Plan, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan := unslu.NewPlan(p)
	err = plan.Execute(t.Context(), s, madeup.Makers(), study.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return plan, s
}

// results returns results of the whole study, with artificial scores in three worlds. All tests share them.
func results(t *testing.T) *unslu.Results {
	t.Helper()
	made, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var whole = sync.OnceValues(func() (*unslu.Results, error) {
	folder, err := os.MkdirTemp("", "unslu")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(folder)
	if err != nil {
		return nil, err
	}
	p := unslu.Mini()
	p.Worlds = 3
	plan := unslu.NewPlan(p)
	err = plan.Execute(context.Background(), s, madeup.Makers(), study.Options{Workers: 2})
	if err != nil {
		return nil, err
	}
	return plan.Read(s)
})
