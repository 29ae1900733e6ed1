package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// fourWorlds returns a plan of four worlds, each with a model, two methods that start from it, and their scores.
func fourWorlds(l *log) (plan testPlan) {
	for w := range 4 {
		base := run(l, fmt.Sprintf("base %d", w))
		base.Cost = 10
		model := plan.Add(base)
		for m := range 2 {
			method := plan.Add(run(l, fmt.Sprintf("method %d of %d", m, w), model))
			plan.Add(run(l, fmt.Sprintf("scores %d of %d", m, w), method))
		}
	}
	return plan
}

// together executes shards of a plan at the same time, each with a store of its own over the folder. It returns what
// each reports, by its index.
func together(t *testing.T, folder string, planned func() testPlan, shard Shard, indices ...int) [][]string {
	said := make([][]string, shard.Of)
	var shards sync.WaitGroup
	for _, i := range indices {
		shards.Go(func() {
			own, plan := shard, planned()
			own.Index = i
			err := plan.Execute(t.Context(), openAt(t, folder), Options{Shard: own,
				Report: func(s progress.Status) { said[i] = append(said[i], s.String()) }})
			if err != nil {
				t.Errorf("shard %d: %v", i, err)
			}
		})
	}
	shards.Wait()
	return said
}

// Shards that run at the same time make every run once, in one store.
func TestShards_Together(t *testing.T) {
	var l log
	plan, folder := fourWorlds(&l), t.TempDir()
	together(t, folder, func() testPlan { return fourWorlds(&l) }, Shard{Of: 3, Patience: time.Minute}, 0, 1, 2)
	if made := l.all(); len(made) != len(plan.Runs()) {
		t.Errorf("made %d runs, want each of %d once: %q", len(made), len(plan.Runs()), made)
	}
	if missing, err := plan.Missing(openAt(t, folder)); err != nil || len(missing) > 0 {
		t.Errorf("%d runs are missing, %v", len(missing), err)
	}
}

// The shards of a plan have about the same cost, and a world stays in one shard where that costs no time.
func TestPlan_Shards(t *testing.T) {
	var l log
	plan := fourWorlds(&l)
	for _, of := range []int{1, 2, 4} {
		cost := make([]float64, of)
		shard := plan.shards(of)
		for run, i := range shard {
			cost[i] += run.Cost
		}
		if want := 4 * 14 / float64(of); slices.Min(cost) != want || slices.Max(cost) != want {
			t.Errorf("%d shards cost %v, want %v each", of, cost, want)
		}
		for _, run := range plan.Runs() {
			for _, need := range run.Needs {
				if shard[run] != shard[need] {
					t.Errorf("%d shards: %s and %s are in different shards", of, run.Title, need.Title)
				}
			}
		}
	}
}

// A lone shard makes its runs, names the runs that it waits for, and continues once they are made.
func TestShard_Alone(t *testing.T) {
	var l log
	var plan testPlan
	first := plan.Add(run(&l, "first"))
	second := plan.Add(run(&l, "second"))
	plan.Add(run(&l, "both", first, second))
	s, shard := openStore(t), plan.shards(2)
	if shard[first] == shard[second] {
		t.Fatalf("both models are in shard %d", shard[first])
	}
	last := plan.Runs()[2]
	waits, other := shard[last], 1-shard[last]
	err := plan.Execute(t.Context(), s, Options{Shard: Shard{waits, 2, 0}})
	if !errors.Is(err, ErrAwaited) || !strings.Contains(err.Error(), "another shard has not made it yet") {
		t.Errorf("got the error %v", err)
	}
	if made := l.all(); len(made) != 1 {
		t.Errorf("made %q, want only the model of shard %d", made, waits)
	}
	for _, i := range []int{other, waits} {
		if err := plan.Execute(t.Context(), s, Options{Shard: Shard{i, 2, 0}}); err != nil {
			t.Errorf("shard %d: %v", i, err)
		}
	}
	if made := l.all(); len(made) != 2 || made[1] != "both" {
		t.Errorf("made %q", made)
	}
}

// A shard that waits makes the runs that it needs itself, if the shards that should make them never begin.
func TestShard_Helps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l log
		var plan testPlan
		first := plan.Add(run(&l, "first"))
		second := plan.Add(run(&l, "second"))
		third := plan.Add(run(&l, "third", second))
		last := plan.Add(run(&l, "all", first, third))
		alone := plan.Add(run(&l, "alone"))
		shard := plan.shards(2)
		if shard[last] == shard[third] || shard[last] == shard[second] {
			t.Fatalf("the last run is in the shard of what it needs: %v", shard)
		}
		err := plan.Execute(t.Context(), openStore(t), Options{Shard: Shard{shard[last], 2, time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		made := l.all()
		slices.Sort(made)
		want := []string{"all", "first", "second", "third"}
		if shard[alone] == shard[last] {
			want = slices.Insert(want, 1, "alone")
		}
		if !slices.Equal(made, want) {
			t.Errorf("made %q, want %q", made, want)
		}
	})
}

// lasting returns the run with a pause before its work.
func lasting(r testRun, pause time.Duration) testRun {
	work := r.Make
	r.Make = func(ctx context.Context, w *store.Work, in []*store.Artifact, progress Progress) error {
		time.Sleep(pause)
		return work(ctx, w, in, progress)
	}
	return r
}

// While a shard makes one of two runs that it has taken over, another process begins the second.
func TestShard_HelpsWithOneOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l log
		folder := t.TempDir()
		planned := func() (plan testPlan) {
			nobodys := plan.Add(lasting(run(&l, "nobody's"), time.Minute))
			anothers := plan.Add(lasting(run(&l, "another's"), 5*time.Minute))
			own := plan.Add(run(&l, "own"))
			plan.Add(run(&l, "all", own, nobodys, anothers))
			return plan
		}
		together(t, folder, planned, Shard{Of: 3, Patience: time.Hour}, 1, 2)
		if made := l.all(); !slices.Equal(made, []string{"own", "nobody's", "another's", "all"}) {
			t.Errorf("made %q, want each run once", made)
		}
	})
}

// A shard that waits leaves a run to the process that makes it, however long that takes, and says that it waits.
func TestShard_HelpsNobodyBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l log
		folder := t.TempDir()
		planned := func() (plan testPlan) {
			first := plan.Add(lasting(run(&l, "slow"), 5*time.Minute))
			second := plan.Add(run(&l, "second"))
			plan.Add(run(&l, "both", second, first))
			return plan
		}
		said := together(t, folder, planned, Shard{Of: 2, Patience: time.Hour}, 0, 1)
		if made := l.all(); !slices.Equal(made, []string{"second", "slow", "both"}) {
			t.Errorf("made %q, want each run once", made)
		}
		plan := planned()
		runs := plan.Runs()
		waits := plan.shards(2)[runs[2]]
		if slow := plan.shards(2)[runs[0]]; slow == waits {
			t.Fatalf("the slow run is in the shard of the one that needs it")
		}
		if lines := said[1-waits]; lines[len(lines)-1] != "1 of 1 runs in 5m0s" {
			t.Errorf("the slow shard says %q", lines)
		}
		lines := said[waits]
		if !slices.Contains(lines, "1 of 3 runs: waiting for a run of another process") {
			t.Errorf("the shard that waits says %q", lines)
		}
		if !slices.Contains(lines, "2 of 3 runs, 0s left: both") {
			t.Errorf("the shard counts its waiting as work: %q", lines)
		}
		for _, line := range lines {
			if strings.Contains(line, "slow") {
				t.Errorf("the shard that waits says %q, and another process makes this run", line)
			}
		}
	})
}
