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

// KeepTraining stores the log of a training in its artifact, and notes the numbers of examples and steps.
func KeepTraining(w *store.Work, log train.Log) error {
	w.Note("examples", log.Examples())
	w.Note("steps", len(log))
	return log.WriteParquet(w.Path(study.StepsFile))
}

// Run runs a method and stores the log of its steps in an artifact. An interrupted run resumes. If a run diverges, the
// log is stored and the error is [train.ErrDiverged].
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
	return err // train.ErrDiverged, or nil
}

// Judged is like [Run] and judges the model after each budget. A run that diverges is a result: it has a warning, and
// no scores from that budget on.
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

// Looks makes files of an artifact during its run. The files are stored next to the checkpoint until [Looks.Keep], so
// that a resumed run need not make them again.
type Looks struct {
	Work *store.Work
	File func(at int) string // name of the file of a budget, or of a number of steps
	Make func(ctx context.Context, path string) error
}

// At makes a file if it does not exist yet.
func (l Looks) At(ctx context.Context, at int) error {
	path := filepath.Join(l.Work.Resume(), l.File(at))
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return l.Make(ctx, path)
}

// Keep copies the files that were made into the artifact.
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
