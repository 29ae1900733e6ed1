package study

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// StepsFile is the name of an artifact's training log. The log has one row per step.
const StepsFile = verify.StepsFile

// Verify computes a run again from the same inputs, in another store, and compares the result with the stored artifact.
func Verify(ctx context.Context, run *Run, makers Makers, s, scratch *store.Store, bounds verify.Bounds) (
	c verify.Comparison, err error) {
	artifact, err := s.Local(run.Key())
	if err != nil {
		return c, fmt.Errorf("%s: %w", run.Title, err)
	}
	if err := makers.check([]*Run{run}); err != nil {
		return c, err
	}
	again, err := makers.carryOut(ctx, run, s, scratch.Do, unseen)
	if err != nil {
		return c, fmt.Errorf("%s: %w", run.Title, err)
	}
	return verify.Compare(artifact, again, bounds), nil
}

// Try computes a run in a scratch store, from inputs in s. It returns the error of the computation.
func Try(ctx context.Context, run *Run, makers Makers, s, scratch *store.Store) error {
	if err := makers.check([]*Run{run}); err != nil {
		return err
	}
	_, err := makers.carryOut(ctx, run, s, scratch.Do, unseen)
	return err
}

// unseen is the progress of a run that nobody watches.
func unseen(done, of int) {}
