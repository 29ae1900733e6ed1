package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Shard is one of several processes that share the runs of a plan in one store. The zero value makes all runs.
type Shard struct {
	Index, Of int           // Index counts from 0 to Of-1
	Patience  time.Duration // how long an idle shard waits for runs of other shards
}

// ErrAwaited is the error of a shard that has waited longer than its patience for another shard's run. After that run
// is made, the same command continues.
var ErrAwaited = errors.New("another shard has not made it yet")

// Pauses of a shard that waits for others.
const (
	storePause = 2 * time.Second // between two checks for the runs of other shards
	helpPause  = 5 * storePause  // until an idle shard makes such runs itself
)

// shards distributes the runs among shards. Every process that plans the same runs gets the same result, even if some
// runs are in the store. A run goes to the shard of the first run that it needs, unless another shard would end it
// before that shard begins it. A run that needs no other goes to the shard that is free first. A run is assumed to
// take as long as its cost, and runs that need no others come first.
func (p *Plan) shards(of int) map[*Run]int {
	shard, ended, depth := map[*Run]int{}, map[*Run]float64{}, map[*Run]int{}
	for _, run := range p.runs {
		for _, need := range run.Needs {
			depth[run] = max(depth[run], depth[need]+1)
		}
	}
	free := make([]float64, of) // time at which each shard has made its runs so far
	for _, run := range slices.SortedStableFunc(slices.Values(p.runs), func(a, b *Run) int {
		return cmp.Compare(depth[a], depth[b])
	}) {
		ready := 0.0
		for _, need := range run.Needs {
			ready = max(ready, ended[need])
		}
		best := slices.Index(free, slices.Min(free))
		if len(run.Needs) > 0 {
			own := shard[run.Needs[0]]
			if max(ready, free[best])+run.Cost >= max(ready, free[own]) {
				best = own
			}
		}
		shard[run] = best
		ended[run] = max(ready, free[best]) + run.Cost
		free[best] = ended[run]
	}
	return shard
}

// divide marks which missing runs other shards make. It waits for the ones that this shard's runs need, and ignores the
// rest.
func (e *execution) divide(ctx context.Context, missing []*Run) {
	s := e.options.Shard
	if s.Of < 2 {
		return
	}
	shard, needed := e.plan.shards(s.Of), map[*Run]bool{}
	for i := len(missing) - 1; i >= 0; i-- {
		run := missing[i]
		own := shard[run] == s.Index
		switch {
		case !own && needed[run]:
			e.set(run, elsewhere)
		case !own:
			e.set(run, skipped)
		}
		for _, need := range run.Needs {
			needed[need] = needed[need] || own
		}
	}
	go e.look(ctx)
}

// look marks other shards' runs as found when they appear in the store. If this shard is idle, it helps. It gives up
// after its patience. It goes on even if no run is awaited at the moment: a run that this shard has taken over is
// awaited again if another process turns out to make it.
func (e *execution) look(ctx context.Context) {
	idle := time.Now()
	for ctx.Err() == nil {
		e.mu.Lock()
		var awaited []*Run
		for _, run := range e.plan.runs {
			if e.state[run] == elsewhere {
				awaited = append(awaited, run)
			}
		}
		if len(e.progress) > 0 {
			idle = time.Now()
		}
		e.mu.Unlock()
		for _, run := range awaited {
			there, err := has(e.store, run)
			if there {
				idle = time.Now()
			}
			if there || err != nil {
				e.settle(run, err)
			}
		}
		switch {
		case len(awaited) == 0:
		case time.Since(idle) > e.options.Shard.Patience:
			e.giveUp()
		case time.Since(idle) > helpPause:
			if err := e.help(awaited); err != nil {
				e.settle(awaited[0], err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(storePause):
		}
	}
}

// help lets this shard make runs of others that it awaits, or runs that they need. Without it, shards that wait could
// occupy all places of a cluster, and the shards for which they wait would never begin. The store lets only one process
// make a run.
func (e *execution) help(awaited []*Run) error {
	seen := map[*Run]bool{}
	var take func(run *Run) error
	take = func(run *Run) error {
		if seen[run] {
			return nil
		}
		seen[run] = true
		whole := true
		for _, need := range run.Needs {
			there, err := has(e.store, need)
			if err == nil && !there {
				whole, err = false, take(need)
			}
			if err != nil {
				return err
			}
		}
		if whole {
			e.takeOver(run)
		}
		return nil
	}
	for _, run := range awaited {
		if err := take(run); err != nil {
			return err
		}
	}
	return nil
}

// takeOver queues a run of another shard.
func (e *execution) takeOver(run *Run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s := e.state[run]; s == elsewhere || s == skipped {
		e.taken[run] = true
		e.set(run, waiting)
		e.changed.Broadcast()
	}
}

// settle records that another shard's run is in the store, or that it cannot be read.
func (e *execution) settle(run *Run, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		e.set(run, failed)
		e.failed, e.errors = append(e.failed, run.Title), append(e.errors, err)
	} else {
		e.set(run, found)
	}
	e.report()
	e.changed.Broadcast()
}

// giveUp marks all runs that are still awaited as failed.
func (e *execution) giveUp() {
	e.mu.Lock()
	defer e.mu.Unlock()
	var titles []string
	for _, run := range e.plan.runs {
		if e.state[run] == elsewhere {
			e.set(run, failed)
			titles = append(titles, run.Title)
		}
	}
	if len(titles) > 0 {
		what := strings.Join(titles[:min(3, len(titles))], ", ")
		if more := len(titles) - 3; more > 0 {
			what += fmt.Sprintf(" and %d more", more)
		}
		e.errors = append(e.errors, fmt.Errorf("%s: %w", what, ErrAwaited))
	}
	e.report()
	e.changed.Broadcast()
}
