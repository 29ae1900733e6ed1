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

// Checkpoint is the file from which an interrupted training of an artifact's model goes on.
func Checkpoint(w *store.Work) string { return filepath.Join(w.Resume(), "training.safetensors") }

// KeepTraining keeps the log of a training in its artifact, and notes how long it was.
func KeepTraining(w *store.Work, log train.Log) error {
	w.Note("examples", log.Examples())
	w.Note("steps", len(log))
	return log.WriteParquet(w.Path(study.StepsFile))
}

// Run runs a method for an artifact, in which it keeps the log of the steps. An interrupted run goes on where it was.
// The log of one that diverged is kept too; the error is then a [train.ErrDiverged].
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
	return err // that it diverged, if it did
}

// Judged is [Run] with a look at the model after each budget. A run that diverges is a result, with a warning and
// without the looks from there on.
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

// Looks are files of an artifact that are made while its run is under way. They stand beside the checkpoint until they
// are kept, so that a run that goes on need not make them again.
type Looks struct {
	Work *store.Work
	File func(at int) string // name of the file of a budget, or of a number of steps
	Make func(ctx context.Context, path string) error
}

// At makes a file unless it is there.
func (l Looks) At(ctx context.Context, at int) error {
	path := filepath.Join(l.Work.Resume(), l.File(at))
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return l.Make(ctx, path)
}

// Keep takes files into the artifact, those that were made.
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
