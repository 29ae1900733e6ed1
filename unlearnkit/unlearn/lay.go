package unlearn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// phases returns the checked phases of a run.
func (j Job[V]) phases() ([]Phase[V], error) {
	phases, err := j.plan()
	if err != nil {
		return nil, err
	}
	if err := j.Method.CheckBudgets(j.Budgets); err != nil {
		return nil, err
	}
	switch {
	case len(phases) == 0:
		return nil, fmt.Errorf("method %s: it has no phases", j.Method.Name)
	case phases[len(phases)-1].Perturb != nil && len(j.Budgets) > 1:
		return nil, fmt.Errorf("method %s: its last phase has no steps, so it is judged once, not after %v passes",
			j.Method.Name, j.Budgets)
	}
	return phases, nil
}

// plan asks the method for its phases, fits them to the task's model and checks that the task has the streams that they
// read.
func (j Job[V]) plan() ([]Phase[V], error) {
	phases, err := j.Method.Lay(j.Values, j.Task.Streams)
	if err != nil {
		return nil, err
	}
	phases = slices.Clone(phases) // a method may return the same slice again
	for i := range phases {
		phase := &phases[i]
		phase.Optimizer.Scope = optimizerScope(i)
		if phase.Perturb != nil {
			continue
		}
		err := j.fit(phase)
		if err == nil {
			err = j.check(*phase)
		}
		if err == nil && phase.Continues {
			err = continueOptimizer(phases[:i], phase)
		}
		if err != nil {
			return nil, fmt.Errorf("method %s: %w", j.Method.Name, err)
		}
	}
	return phases, nil
}

// fit completes a phase with properties of the task's model.
func (j Job[V]) fit(phase *Phase[V]) error {
	if phase.Fit == nil {
		return nil
	}
	return device.Try(fmt.Sprintf("phase %q", phase.Name), func() error {
		return phase.Fit(phase, j.Task.View(Weights{j.Store.RootScope().At(Policy), false}))
	})
}

// continueOptimizer gives a phase the optimizer of the previous phase.
func continueOptimizer[V any](before []Phase[V], phase *Phase[V]) error {
	if len(before) == 0 || before[len(before)-1].Perturb != nil {
		return fmt.Errorf("phase %q continues an optimizer, but no phase with steps precedes it", phase.Name)
	}
	last := before[len(before)-1]
	if phase.Optimizer.Average != 0 || last.Optimizer.Average != 0 || len(phase.Drawn) > 0 {
		return fmt.Errorf("phase %q continues an optimizer, which is impossible if a phase averages or draws",
			phase.Name)
	}
	phase.Optimizer.Scope = last.Optimizer.Scope
	return nil
}

// check returns an error if a phase with steps cannot be run.
func (j Job[V]) check(phase Phase[V]) error {
	if len(phase.Streams) == 0 || phase.Batch < 1 || phase.Loss == nil || phase.Rate == nil && phase.Schedule == nil {
		return fmt.Errorf("phase %q needs Streams, Batch, Loss and Rate", phase.Name)
	}
	if phase.Rate != nil && phase.Schedule != nil {
		return fmt.Errorf("phase %q has a Rate and a Schedule: one of them is the learning rate", phase.Name)
	}
	for i, name := range phase.Streams {
		switch {
		case j.rows(phase, name) == 0:
			return fmt.Errorf("the task has no rows of the stream %q", name)
		case slices.Contains(phase.Streams[:i], name):
			return fmt.Errorf("phase %q reads the stream %q twice", phase.Name, name)
		}
	}
	for _, drawn := range phase.Drawn {
		if err := j.checkDrawn(phase, drawn); err != nil {
			return fmt.Errorf("phase %q draws %q: %w", phase.Name, drawn.Name, err)
		}
	}
	for _, of := range phase.Precomputed {
		if err := j.checkPrecomputed(phase, of); err != nil {
			return fmt.Errorf("phase %q computes %q once: %w", phase.Name, of.Stream, err)
		}
	}
	if err := phase.checkRandom(); err != nil {
		return err
	}
	if phase.Pairing != Endless && len(phase.Drawn) > 0 {
		return fmt.Errorf("phase %q pairs its streams by batches, which is impossible with drawn rows", phase.Name)
	}
	if j.perPass(phase) == 0 {
		return fmt.Errorf("phase %q has no step: a batch has %d rows, and one of the streams %s has fewer",
			phase.Name, phase.Batch, strings.Join(phase.Streams, " and "))
	}
	return nil
}

// rows returns the number of rows of one of the phase's streams, which the task has or the phase draws.
func (j Job[V]) rows(phase Phase[V], name string) int {
	if drawn, is := phase.findDrawn(name); is {
		return drawn.Rows
	}
	return j.Task.Streams.rows(name)
}

// perPass returns the number of steps of a pass.
func (j Job[V]) perPass(phase Phase[V]) int {
	rows := make([]int, len(phase.Streams))
	for i, name := range phase.Streams {
		rows[i] = j.rows(phase, name)
	}
	return len(phase.Pairing.stepBatches(phase.Batch, rows))
}

func (j Job[V]) steps(phase Phase[V], budgeted bool) int {
	switch {
	case phase.Perturb != nil:
		return 0
	case budgeted:
		return j.perPass(phase) * j.Budgets[len(j.Budgets)-1]
	default:
		return j.perPass(phase)
	}
}
