package train

import (
	"context"
	"errors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// Unlearn runs a method for one pass from an original model, and writes the raw scores of the result. A run that
// diverges has no scores.
func (l *Lab) Unlearn(ctx context.Context, spec unslu.UnlearnedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	untrained := in.Of(spec.Untrained)
	method, err := l.Method(spec.Method, spec.Version)
	if err != nil {
		return err
	}
	d, c, m, err := l.begin(w, spec.Corpus, in.Of(spec.Start))
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if untrained != nil {
		folder, err := l.model(untrained)
		if err != nil {
			return err
		}
		if err := m.addUntrained(d, folder, spec.Seed); err != nil {
			return err
		}
	}
	j, err := newJudge(d, m, c)
	if err != nil {
		return err
	}
	defer j.close()
	time := newClock()
	job := classifying.Job{
		Device: d, Store: m.store,
		Task:   classifying.Wav2Vec2(m.config, unlearn.Streams{unlearn.Forget: c.forget, unlearn.Retain: c.retain}),
		Method: method, Values: spec.Values, Budgets: []int{1}, Seed: spec.Seed, Progress: time.progress(progress),
		Ahead: time.computed, CheckpointEvery: checkpointEvery(spec.Corpus),
	}
	return lab.Judged(ctx, job, lab.Looks{
		Work: w, File: func(int) string { return unslu.ScoresFile },
		Make: func(ctx context.Context, path string) error {
			scores, err := j.scores(ctx)
			if err != nil {
				return err
			}
			w.Measure(unslu.SecondsAhead, time.secondsAhead())
			passes, err := method.Cost(spec.Values, c.retain.Rows(), c.forget.Rows())
			cost := unslu.Cost{Seconds: time.seconds(), Passes: passes}
			return errors.Join(err, cost.WriteParquet(w.Path(unslu.CostFile)), scores.WriteParquet(path))
		},
	})
}

// addUntrained adds a teacher that has not learnt intents to the store: the backbone with a new head.
func (m *loaded) addUntrained(d *device.Device, folder string, root uint64) error {
	teacher, err := loadInto(d, folder, m.samples, m.store, classifying.Incompetent)
	if err != nil {
		return err
	}
	return teacher.addHead(d, m.config.NumLabels, seed.Derive(root, "unslu", "untrained head"))
}
