package study

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Options configures the execution of a plan.
type Options struct {
	Workers int                   // runs made at the same time; 0 means 1
	Report  func(progress.Status) // called after every change of the plan's progress; may be nil
	Shard   Shard                 // part of the plan to make
}

// busyPause is the time after which a run is tried again if another process is making it.
const busyPause = time.Second

// Execute makes the missing runs. If a run fails, Execute still makes the runs that do not need it. The error joins all
// failures.
func (p *Plan) Execute(ctx context.Context, s *store.Store, makers Makers, o Options) error {
	return p.Make(ctx, s, makers, o, p.Ends()...)
}

// Make is like [Plan.Execute] for the wanted runs and the runs that they need. In a shared store it also sends the runs
// of the plan that only this machine has.
func (p *Plan) Make(ctx context.Context, s *store.Store, makers Makers, o Options, wanted ...*Run) error {
	missing, err := p.Missing(s, wanted...)
	if err != nil {
		return err
	}
	if err := makers.check(missing); err != nil {
		return err
	}
	if err := p.Share(ctx, s); err != nil {
		return err
	}
	e := newExecution(p, s, makers, o, missing)
	looking, end := context.WithCancel(ctx)
	defer end()
	e.divide(looking, missing)
	stop := context.AfterFunc(ctx, func() { e.mu.Lock(); e.changed.Broadcast(); e.mu.Unlock() })
	defer stop()
	var workers sync.WaitGroup
	for range e.options.Workers {
		workers.Go(func() {
			for run := e.next(ctx); run != nil; run = e.next(ctx) {
				e.finish(run, e.carryOut(ctx, run))
			}
		})
	}
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause // the runs in progress failed because the context ended
	}
	return errors.Join(e.errors...)
}

// Share sends the runs of the plan that only this machine has to the others, if the store is shared.
func (p *Plan) Share(ctx context.Context, s *store.Store) error {
	var keys []store.Key
	for _, run := range p.runs {
		keys = append(keys, run.key)
	}
	return s.Share(ctx, keys...)
}

func has(s *store.Store, run *Run) (bool, error) {
	there, err := s.Has(run.key)
	if errors.As(err, new(*store.Damaged)) {
		err = fmt.Errorf("%s: %w", run.Title, err)
	}
	return there, err
}

type state int

const (
	waiting state = iota
	found
	making
	busy      // another process is making the run
	elsewhere // another shard makes the run
	skipped   // another shard makes the run, and this one does not need it
	made
	failed
)

// An execution spends the same time on each run, however many there are: a run that ends updates only the runs that
// need it.
type execution struct {
	plan    *Plan
	store   *store.Store
	makers  Makers
	options Options
	began   time.Time
	order   map[*Run]int    // index in the plan
	needing map[*Run][]*Run // missing runs that need a run

	mu       sync.Mutex
	changed  *sync.Cond
	state    map[*Run]state
	count    [failed + 1]int     // runs by state
	cost     [failed + 1]float64 // their cost by state
	awaits   map[*Run]int        // number of needed runs that are not made yet
	ready    readyRuns
	progress map[*Run]progress.Running
	idle     time.Duration // time without a run in progress, up to idleFrom
	idleFrom time.Time
	taken    map[*Run]bool // runs of other shards that this one makes while it is idle
	errors   []error
	failed   []string
}

func newExecution(p *Plan, s *store.Store, makers Makers, o Options, missing []*Run) *execution {
	now := time.Now()
	e := &execution{plan: p, store: s, makers: makers, options: o, began: now, idleFrom: now, order: map[*Run]int{},
		needing: map[*Run][]*Run{}, state: map[*Run]state{}, awaits: map[*Run]int{},
		progress: map[*Run]progress.Running{}, taken: map[*Run]bool{}}
	e.changed = sync.NewCond(&e.mu)
	e.options.Workers = max(1, o.Workers)
	e.ready.order = e.order
	for i, run := range p.runs {
		e.order[run], e.state[run] = i, found
	}
	for _, run := range missing {
		e.state[run] = waiting
	}
	for _, run := range p.runs {
		e.count[e.state[run]]++
		e.cost[e.state[run]] += run.Cost
	}
	for _, run := range missing {
		for _, need := range run.Needs {
			if e.state[need] == waiting {
				e.needing[need] = append(e.needing[need], run)
				e.awaits[run]++
			}
		}
	}
	for _, run := range missing {
		if e.awaits[run] == 0 {
			heap.Push(&e.ready, run)
		}
	}
	return e
}

// readyRuns is a heap of runs that can be made, in the order of the plan.
type readyRuns struct {
	runs  []*Run
	order map[*Run]int
}

func (r *readyRuns) Len() int           { return len(r.runs) }
func (r *readyRuns) Less(i, j int) bool { return r.order[r.runs[i]] < r.order[r.runs[j]] }
func (r *readyRuns) Swap(i, j int)      { r.runs[i], r.runs[j] = r.runs[j], r.runs[i] }
func (r *readyRuns) Push(run any)       { r.runs = append(r.runs, run.(*Run)) }
func (r *readyRuns) Pop() any {
	last := len(r.runs) - 1
	run := r.runs[last]
	r.runs = r.runs[:last]
	return run
}

// set changes the state of a run. If the run is found or made, set counts it for the runs that need it, and queues
// those that wait for no others. If it failed, the runs that need it fail, too. The caller must hold the lock.
func (e *execution) set(run *Run, s state) {
	was := e.state[run]
	e.count[was]--
	e.cost[was] -= run.Cost
	e.state[run] = s
	e.count[s]++
	e.cost[s] += run.Cost
	switch s {
	case failed:
		if was != elsewhere { // another shard may still make it
			e.failed = append(e.failed, run.Title)
		}
		for _, next := range e.needing[run] {
			if e.state[next] == waiting {
				e.set(next, failed)
			}
		}
	case found, made:
		for _, next := range e.needing[run] {
			if e.awaits[next]--; e.awaits[next] == 0 && e.state[next] == waiting {
				heap.Push(&e.ready, next)
			}
		}
	case waiting:
		heap.Push(&e.ready, run)
	}
}

// next waits for a run that can be made and takes it. It returns nil if none is left.
func (e *execution) next(ctx context.Context) *Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if ctx.Err() != nil {
			return nil
		}
		for e.ready.Len() > 0 {
			run := heap.Pop(&e.ready).(*Run)
			if e.state[run] != waiting {
				continue // another shard makes it
			}
			e.set(run, making)
			return run
		}
		if e.count[waiting]+e.count[making]+e.count[busy]+e.count[elsewhere] == 0 {
			return nil
		}
		e.changed.Wait()
	}
}

func (e *execution) carryOut(ctx context.Context, run *Run) error {
	_, err := e.makers.carryOut(ctx, run, e.store, e.store.TryDo, func(done, of int) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.progress) == 0 {
			e.idle += time.Since(e.idleFrom)
		}
		e.progress[run] = progress.Running{Title: run.Title, Done: done, Of: of}
		e.report()
	})
	return err
}

// finish records the result of a run. If another process is making the run, finish schedules a retry.
func (e *execution) finish(run *Run, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, began := e.progress[run]; began {
		delete(e.progress, run)
		e.idleFrom = time.Now()
	}
	switch {
	case err == nil:
		e.set(run, made)
	case errors.Is(err, store.ErrBusy) && e.taken[run]:
		e.set(run, elsewhere)
	case errors.Is(err, store.ErrBusy):
		e.set(run, busy)
		time.AfterFunc(busyPause, func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.set(run, waiting)
			e.changed.Broadcast()
		})
	default:
		e.set(run, failed)
		e.errors = append(e.errors, fmt.Errorf("%s: %w", run.Title, err))
	}
	e.report()
	e.changed.Broadcast()
}
