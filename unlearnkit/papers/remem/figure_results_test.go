package remem_test

import (
	"sync"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// small returns the mini preset with fewer people and runs.
func small() remem.Preset {
	p := remem.Mini()
	p.Worlds, p.People.Identities, p.People.Public, p.People.Crowd, p.People.Pictures = 2, 8, 4, 30, 20
	p.Forget, p.Counts, p.Shares, p.Choices, p.Bits = []int{1, 2, 4}, []int{20, 60, 100}, []int{0, 50, 100}, 0, nil
	p.Whole, p.Relearning.Budgets, p.Traced = false, []int{2}, 4
	return p
}

var made = sync.OnceValues(func() (*remem.Results, error) { return madeUp(small()) })

// drawnResults returns results of a small study with artificial scores.
func drawnResults(t *testing.T) *remem.Results {
	t.Helper()
	r, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return r
}
