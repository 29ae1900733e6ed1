package unlearn

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps runs the method's first phase on your own batches: for each step a permutation of its rows, then the columns of
// every stream of the phase and its random columns. Use it to compare a method with another implementation. The store
// keeps the frozen model, and the optimizer's state below "optimizer_0".
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
