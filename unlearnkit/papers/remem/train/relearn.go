package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// Relearn trains a model on half of the attributes of the people to forget. After each budget it asks for the other
// half. A model that diverged has no answers.
func (l *Lab) Relearn(ctx context.Context, spec remem.RelearntSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	model := in.All(append(spec.Under, spec.Model))
	if diverged(model) {
		w.Note("warning", "the model diverged")
		return nil
	}
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	division, err := p.divide(spec.Forget)
	if err != nil {
		return err
	}
	told, kept := halves(division.Forget)
	m, err := l.load(d, spec.Precision, model...)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if err := m.adapt(spec.Rank, seed.Derive(spec.Seed, "remem", "relearnt")); err != nil {
		return err
	}
	records, err := m.records(p.private.questions(remem.PartForget, told))
	if err != nil {
		return err
	}
	task, err := answering.NewTask(answering.LLaVA(m.config), answering.Data{Retain: records, Pad: m.text.padding})
	if err != nil {
		return err
	}
	witness := newSight(d, m.config, m.scope(), m.text)
	defer witness.close()
	looks := lab.Looks{Work: w, File: remem.RelearntFile, Make: func(ctx context.Context, path string) error {
		answers, err := witness.answers(ctx, p.private.questions(remem.PartForget, kept), func(int) {})
		if err != nil {
			return err
		}
		return remem.WriteAnswers(path, answers)
	}}
	if err := looks.At(ctx, 0); err != nil {
		return err
	}
	job := answering.Job{Device: d, Store: m.store, Task: task, Method: answering.Finetuning(),
		Values: unlearn.Values{"rate": spec.Rate, "batch": float64(spec.Batch)}, Budgets: spec.Budgets, Seed: spec.Seed,
		Progress: progress}
	if err := lab.Judged(ctx, job, looks); err != nil {
		return fmt.Errorf("relearn: %w", err)
	}
	return looks.Keep(0)
}

// halves splits records by attribute: every second attribute is relearnt, the others are kept for questions.
func halves(records []profile.Record) (told, kept []profile.Record) {
	for _, r := range records {
		if slices.Index(profile.Attributes(), r.Attribute)%2 == 1 {
			told = append(told, r)
		} else {
			kept = append(kept, r)
		}
	}
	return told, kept
}
