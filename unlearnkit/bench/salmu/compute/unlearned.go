package compute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Unlearn runs a method from a base model and gives the raw scores at each budget.
func (l *Lab) Unlearn(ctx context.Context, spec salmu.UnlearnedSpec, start *store.Artifact, pictures []*store.Artifact,
	w *store.Work, progress study.Progress) error {
	method, known := l.methods[spec.Method]
	if !known {
		return fmt.Errorf("there is no method %q", spec.Method)
	}
	c, err := l.candidate(w, start, spec.Corpus, pictures, spec.Each)
	if err != nil {
		return err
	}
	defer c.close()
	job := unlearn.Job{
		Device: c.device, Store: c.store, Task: c.streams(spec.Retain), Method: method, Values: spec.Values,
		Budgets: spec.Budgets, Seed: spec.Seed,
		Folder: w.Resume(), Identity: string(w.Key), Progress: progress,
		Snapshot: func(ctx context.Context, budget int) error {
			kept := filepath.Join(w.Resume(), salmu.ScoresFile(budget))
			if _, err := os.Stat(kept); err == nil {
				return nil
			}
			scores, err := c.judge(ctx, c.embedder)
			if err != nil {
				return err
			}
			return scores.WriteParquet(kept)
		},
	}
	if spec.Corpus.World == nil {
		job.CheckpointEvery = 10 * time.Minute // a checkpoint of a model of the paper's size is two gigabytes
	}
	result, err := job.Run(ctx)
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return err
	}
	if err != nil {
		w.Note("warning", err.Error())
	}
	w.Note("examples", result.Log.Examples())
	w.Note("passes", result.Passes)
	if err := result.Log.WriteParquet(w.Path(study.StepsFile)); err != nil {
		return err
	}
	return collect(w, spec.Budgets)
}

// collect moves the scores of the snapshots into the artifact. A run that diverged has not all of them.
func collect(w *store.Work, budgets []int) error {
	for _, budget := range budgets {
		name := salmu.ScoresFile(budget)
		content, err := os.ReadFile(filepath.Join(w.Resume(), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(w.Path(name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// streams are what the methods walk through: the rows to be forgotten, and a sample of what all models were trained on.
func (c *candidate) streams(retain int) task {
	forget := make([]persona.Row, len(c.forget))
	for i, row := range c.forget {
		forget[i] = c.sensitive[row]
	}
	r := c.pairs.reader
	kept := r.corpus.kept()
	sample := make([]persona.Row, min(retain, len(kept)))
	for i, at := range seed.Stream(r.corpus.root(), "salmu", "retain sample").Perm(len(kept))[:len(sample)] {
		sample[i] = kept[at]
	}
	return task{c.loaded.config, map[string]*table{unlearn.Forget: r.table(forget), unlearn.Retain: r.table(sample)}}
}
