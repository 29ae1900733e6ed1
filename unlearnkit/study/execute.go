package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Make makes the wanted runs and the runs that they need, as [Plan.Execute] does for the whole plan.
func (p *Plan) Make(ctx context.Context, s *store.Store, makers Makers, o Options, wanted ...*Run) error {
	e := &execution{plan: p, store: s, makers: makers, options: o, began: time.Now(), state: map[*Run]state{},
		progress: map[*Run]progress.Running{}}
	e.changed = sync.NewCond(&e.mu)
	e.options.Workers = max(1, o.Workers)
	missing, err := p.Missing(s, wanted...)
	if err != nil {
		return err
	}
	if err := makers.check(missing); err != nil {
		return err
	}
	for _, run := range p.runs {
		if !slices.Contains(missing, run) {
			e.state[run] = found
		}
	}
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

func has(s *store.Store, run *Run) (bool, error) {
	_, err := s.Get(run.key)
	if errors.Is(err, store.ErrAbsent) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", run.Title, err)
	}
	return true, nil
}

type state int

const (
	waiting state = iota
	found
	making
	busy      // another process is making the run
	elsewhere // another shard makes the run
	made
	failed
)

type execution struct {
	plan    *Plan
	store   *store.Store
	makers  Makers
	options Options
	began   time.Time

	mu       sync.Mutex
	changed  *sync.Cond
	state    map[*Run]state
	progress map[*Run]progress.Running
	errors   []error
	failed   []string
}

// next waits until a run can be made, marks it as running and returns it. It returns nil if no run is left.
func (e *execution) next(ctx context.Context) *Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if ctx.Err() != nil {
			return nil
		}
		left := false
		for _, run := range e.plan.runs {
			switch {
			case e.state[run] == busy || e.state[run] == making || e.state[run] == elsewhere:
				left = true
			case e.state[run] != waiting:
			case e.anyOf(run.Needs, failed):
				e.state[run] = failed
				e.failed = append(e.failed, run.Title)
				e.report()
			case e.ready(run):
				e.state[run] = making
				e.progress[run] = progress.Running{Title: run.Title}
				e.report()
				return run
			default:
				left = true
			}
		}
		if !left {
			return nil
		}
		e.changed.Wait()
	}
}

func (e *execution) anyOf(runs []*Run, s state) bool {
	for _, run := range runs {
		if e.state[run] == s {
			return true
		}
	}
	return false
}

func (e *execution) ready(run *Run) bool {
	for _, need := range run.Needs {
		if s := e.state[need]; s != found && s != made {
			return false
		}
	}
	return true
}

func (e *execution) carryOut(ctx context.Context, run *Run) error {
	_, err := e.makers.carryOut(ctx, run, e.store, e.store.TryDo, func(done, of int) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.progress[run] = progress.Running{Title: run.Title, Done: done, Of: of}
		e.report()
	})
	return err
}

// finish records the result of a run. If another process is making the run, finish schedules a retry.
func (e *execution) finish(run *Run, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.progress, run)
	switch {
	case err == nil:
		e.state[run] = made
	case errors.Is(err, store.ErrBusy):
		e.state[run] = busy
		time.AfterFunc(busyPause, func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.state[run] = waiting
			e.changed.Broadcast()
		})
	default:
		e.state[run] = failed
		e.failed = append(e.failed, run.Title)
		e.errors = append(e.errors, fmt.Errorf("%s: %w", run.Title, err))
	}
	e.report()
	e.changed.Broadcast()
}
