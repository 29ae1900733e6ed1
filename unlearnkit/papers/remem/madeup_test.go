package remem_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// results returns results of the whole study, with artificial scores in three worlds. All tests share them.
func results(t *testing.T) *remem.Results {
	t.Helper()
	made, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var whole = sync.OnceValues(func() (*remem.Results, error) {
	p := remem.Mini()
	p.Worlds = 3
	return madeUp(p)
})

// madeUp returns the results of a preset with artificial scores.
func madeUp(p remem.Preset) (*remem.Results, error) {
	folder, err := os.MkdirTemp("", "remem")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(folder)
	if err != nil {
		return nil, err
	}
	plan := remem.NewPlan(p)
	err = plan.Execute(context.Background(), s, madeup.Makers(), study.Options{Workers: 2})
	if err != nil {
		return nil, err
	}
	return plan.Read(s)
}
