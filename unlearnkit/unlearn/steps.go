package unlearn

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps makes steps of the method's first phase on batches of one's own: for each a permutation of its rows, then the
// columns of every stream of the phase and what it draws at random. By it a method is held against another
// implementation. The store keeps the frozen model, and below "optimizer_0" what the optimizer remembers.
func (j Job[V]) Steps(ctx context.Context, steps int, batch func(step int) (train.Batch, error)) (train.Log, error) {
	return j.StepsOf(ctx, 0, steps, batch)
}

// StepsOf is [Job.Steps] of another phase, from the model and the optimizer that the store has by then.
func (j Job[V]) StepsOf(ctx context.Context, phase, steps int,
	batch func(step int) (train.Batch, error)) (train.Log, error) {
	phases, err := j.laid()
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
	phases[phase].Precomputed = nil // which rows the batches have is not known
	job, feed := j.training(ctx, phases[phase], phase, steps)
	defer feed.close()
	job.Batch = batch
	return job.Run(ctx)
}
