package unlearn

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Steps makes steps of the method's first phase on batches of one's own: for each a permutation of its rows, then the
// columns of every stream of the phase. By it a method is held against another implementation. The store keeps the
// frozen model, and below "optimizer_0" what the optimizer remembers.
func (j Job[V]) Steps(ctx context.Context, steps int, batch func(step int) (train.Batch, error)) (train.Log, error) {
	phases, err := j.Method.Lay(j.Values, j.Task.Streams)
	if err != nil {
		return nil, err
	}
	if err := j.check(phases[0]); err != nil {
		return nil, err
	}
	if j.Method.Reference {
		if err := j.freeze(); err != nil {
			return nil, err
		}
	}
	job, feed := j.training(ctx, phases[0], 0)
	defer feed.close()
	job.Steps, job.Batch = steps, batch
	return job.Run(ctx)
}
