package unlearn

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps runs the method's first phase on your own batches. The inputs of a batch are a permutation of its rows, the
// columns of every stream of the phase, and its random columns. Use it to compare a method with another implementation.
// The store keeps the frozen model, and the optimizer's state below "optimizer_0".
func (j Job[V]) Steps(ctx context.Context, steps int, batch func(step int) (train.Batch, error)) (train.Log, error) {
	return j.StepsOf(ctx, 0, steps, batch)
}

// StepsOf runs [Job.Steps] for another phase. It starts from the model and the optimizer state in the store.
func (j Job[V]) StepsOf(ctx context.Context, phase, steps int,
	batch func(step int) (train.Batch, error)) (train.Log, error) {
	phases, err := j.plan()
	if err != nil {
		return nil, err
	}
	if phase >= len(phases) || phases[phase].Perturb != nil {
		return nil, fmt.Errorf("method %s: it has no phase %d with steps", j.Method.Name, phase)
	}
	if _, err := j.start(); err != nil {
		return nil, err
	}
	if j.Method.Reference && j.Store.Scope("/"+Reference).NumVariables() == 0 {
		if err := j.freeze(); err != nil {
			return nil, err
		}
	}
	phases[phase].Precomputed = nil // the rows of the batches are unknown
	job, feed := j.training(ctx, phases[phase], phase, steps)
	defer feed.close()
	job.Batch = batch
	return job.Run(ctx)
}

// PhaseCost is the cost of a step of a phase.
type PhaseCost struct {
	Phase string // empty if the method has one phase
	device.Cost
}

// Costs compiles a step of each phase for the first batch, on a device of [device.OpenCompiler]. The models' variables
// need no values. What a phase would precompute is a part of its step.
func (j Job[V]) Costs(ctx context.Context) ([]PhaseCost, error) {
	phases, err := j.plan()
	if err != nil {
		return nil, err
	}
	var costs []PhaseCost
	for i, phase := range phases {
		if phase.Perturb != nil {
			continue
		}
		phase.Precomputed = nil
		job, feed := j.training(ctx, phase, i, 1)
		cost, err := job.Cost()
		feed.close()
		if err != nil {
			return nil, err
		}
		costs = append(costs, PhaseCost{phase.Name, cost})
	}
	return costs, nil
}
