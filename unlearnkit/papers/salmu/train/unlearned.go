package train

import (
	"context"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// Unlearn runs a method on a base model and writes the raw scores at each budget.
func (l *Lab) Unlearn(ctx context.Context, spec salmu.UnlearnedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	c, job, err := l.unlearning(spec, in, w)
	if err != nil {
		return err
	}
	defer c.close()
	job.Progress = progress
	return lab.Judged(ctx, job, lab.Looks{
		Work: w, File: salmu.ScoresFile, Make: func(ctx context.Context, path string) error {
			scores, err := c.judge(ctx, c.embedder)
			if err != nil {
				return err
			}
			return scores.WriteParquet(path)
		},
	})
}

// unlearning loads the model that a method starts from and prepares the method's run. The caller must close the model.
func (l *Lab) unlearning(spec salmu.UnlearnedSpec, in study.Inputs, w *store.Work) (*candidate, contrastive.Job,
	error) {
	method, err := l.Method(spec.Method, spec.Version)
	if err != nil {
		return nil, contrastive.Job{}, err
	}
	c, err := l.candidate(w, in.Of(spec.Start), spec.Corpus, in.All(spec.Pictures), spec.Each)
	if err != nil {
		return nil, contrastive.Job{}, err
	}
	job := contrastive.Job{
		Device: c.device, Store: c.store, Task: contrastive.CLIP(c.loaded.config, c.streams(spec.Retain)),
		Method: method, Values: spec.Values, Budgets: spec.Budgets, Seed: spec.Seed,
	}
	if spec.Corpus.World == nil {
		job.CheckpointEvery = 10 * time.Minute // a checkpoint of the paper's model takes two gigabytes
	}
	return c, job, nil
}

// streams returns the training data of methods: the forget rows, and a sample of the rows on which all models were
// trained.
func (c *candidate) streams(retain int) unlearn.Streams {
	forget := make([]persona.Row, len(c.forget))
	for i, row := range c.forget {
		forget[i] = c.sensitive[row]
	}
	r := c.pairs.reader
	return unlearn.Streams{unlearn.Forget: r.table(forget), unlearn.Retain: r.table(retainSample(r.corpus, retain))}
}

// retainSample draws a sample of the rows on which all models were trained.
func retainSample(from corpus, size int) []persona.Row {
	kept := from.retainRows()
	sample := make([]persona.Row, min(size, len(kept)))
	for i, at := range seed.Stream(from.root(), "salmu", "retain sample").Perm(len(kept))[:len(sample)] {
		sample[i] = kept[at]
	}
	return sample
}
