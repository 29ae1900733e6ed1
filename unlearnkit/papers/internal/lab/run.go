package lab

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Checkpoint returns the path of the checkpoint from which an interrupted training resumes.
func Checkpoint(w *store.Work) string { return filepath.Join(w.Resume(), "training.safetensors") }

// KeepTraining stores the log of a training in its artifact, with notes of the numbers of examples and steps.
func KeepTraining(w *store.Work, log train.Log) error {
	w.Note("examples", log.Examples())
	w.Note("steps", len(log))
	return log.WriteParquet(w.Path(study.StepsFile))
}

// Run runs an unlearning method and stores the log of its steps in an artifact. An interrupted run resumes. If a run
// diverges, Run stores the log and returns [train.ErrDiverged].
func Run[V any](ctx context.Context, job unlearn.Job[V], w *store.Work) error {
	job.Folder, job.Identity = w.Resume(), string(w.Key)
	result, err := job.Run(ctx)
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return err
	}
	w.Note("examples", result.Log.Examples())
	w.Note("passes", result.Passes)
	if err := result.Log.WriteParquet(w.Path(study.StepsFile)); err != nil {
		return err
	}
	return err // nil or train.ErrDiverged
}

// Judged is like [Run] but also judges the model after each budget. A run that diverges is not an error: it gets a
// warning, and has no scores from that budget on.
func Judged[V any](ctx context.Context, job unlearn.Job[V], looks Looks) error {
	job.Snapshot = looks.At
	err := Run(ctx, job, looks.Work)
	if errors.Is(err, train.ErrDiverged) {
		looks.Work.Note("warning", err.Error())
		err = nil
	}
	if err != nil {
		return err
	}
	return looks.Keep(job.Budgets...)
}

// Looks writes files of an artifact while a run is in progress, for example the scores at each budget. Until
// [Looks.Keep] the files are stored next to the checkpoint, so that a resumed run need not write them again.
type Looks struct {
	Work *store.Work
	File func(at int) string // name of the file for a budget, or for a number of steps
	Make func(ctx context.Context, path string) error
}

// At writes the file for a budget if it does not exist yet.
func (l Looks) At(ctx context.Context, at int) error {
	path := filepath.Join(l.Work.Resume(), l.File(at))
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return l.Make(ctx, path)
}

// Keep copies the files that exist into the artifact.
func (l Looks) Keep(all ...int) error {
	for _, at := range all {
		content, err := os.ReadFile(filepath.Join(l.Work.Resume(), l.File(at)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(l.Work.Path(l.File(at)), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
