package study

import (
	"context"
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// StepsFile is the log of a training within an artifact: one row a step.
const StepsFile = "steps.parquet"

// Different is the error of a result that is another one when it is made again.
type Different struct {
	Title  string // of the run
	Reason string // what differs, and the first step that does
}

func (d *Different) Error() string { return d.Title + ": " + d.Reason }

// Verify makes a run again, from the same inputs, in another store, and returns nil if it comes to the same bytes. If
// it comes to others the error is a [Different].
func Verify(ctx context.Context, run *Run, makers Makers, s, scratch *store.Store, progress Progress) error {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return fmt.Errorf("%s: %w", run.Title, err)
	}
	if err := makers.check([]*Run{run}); err != nil {
		return err
	}
	again, err := makers.carryOut(ctx, run, s, scratch.Do, progress)
	if err != nil {
		return fmt.Errorf("%s: %w", run.Title, err)
	}
	if difference := store.Same(artifact, again); difference != nil {
		return &Different{run.Title, difference.Error() + firstStep(artifact, again)}
	}
	return nil
}

// firstStep says at which step two trainings part.
func firstStep(a, b *store.Artifact) string {
	if !a.Has(StepsFile) || !b.Has(StepsFile) {
		return ""
	}
	first, errA := a.ReadTable(StepsFile)
	second, errB := b.ReadTable(StepsFile)
	if errA != nil || errB != nil {
		return ""
	}
	for step := range min(first.Rows(), second.Rows()) {
		for _, column := range first.Columns {
			other := second.Column(column.Name)
			if column.Values == nil || other == nil || other.Values == nil {
				continue
			}
			if x, y := column.Values[step], other.Values[step]; x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return fmt.Sprintf("; the first step that differs is %d: %s %v and %v", step+1, column.Name, x, y)
			}
		}
	}
	if first.Rows() != second.Rows() {
		return fmt.Sprintf("; the trainings have %d and %d steps, the same as far as both go", first.Rows(),
			second.Rows())
	}
	return "; their steps are the same"
}
