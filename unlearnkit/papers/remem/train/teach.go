package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
)

// Teach trains a base model on questions about people. It trains new adapters and merges them afterwards.
func (l *Lab) Teach(ctx context.Context, spec remem.TaughtSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	records, err := p.lesson(spec.Lesson)
	if err != nil {
		return err
	}
	m, err := l.load(d, spec.Training.Precision, in.Of(spec.Base))
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	t := spec.Training
	if err := m.adapt(t.Rank, seed.Derive(spec.Seed, "remem", "taught")); err != nil {
		return err
	}
	err = l.learn(ctx, m, lesson{questions: p.private.questions(remem.PartTrain, records), method: answering.Finetuning(),
		values: unlearn.Values{"rate": t.Rate, "batch": float64(t.Batch)}, epochs: t.Epochs, seed: spec.Seed}, w,
		progress)
	if err != nil {
		return err
	}
	return m.save(w.Dir(), false)
}

// Unlearn runs an unlearning method on a model, so that it forgets people.
func (l *Lab) Unlearn(ctx context.Context, spec remem.UnlearnedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	method, err := l.Method(spec.Method, spec.Version)
	if err != nil {
		return err
	}
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	division, err := p.divide(spec.Forget)
	if err != nil {
		return err
	}
	m, err := l.load(d, spec.Precision, in.All(append(spec.Under, spec.Start))...)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	if err := m.adapt(spec.Rank, seed.Derive(spec.Seed, "remem", "unlearned", spec.Method)); err != nil {
		return err
	}
	task, err := m.forgetting(p, division)
	if err != nil {
		return err
	}
	err = lab.Run(ctx, answering.Job{Device: d, Store: m.store, Task: task, Method: method, Values: spec.Values,
		Budgets: []int{spec.Epochs}, Snapshot: unseen, Seed: spec.Seed, Progress: progress}, w)
	if errors.Is(err, train.ErrDiverged) {
		w.Note("warning", err.Error())
		return nil // the artifact has no model
	}
	if err != nil {
		return err
	}
	return m.save(w.Dir(), false)
}

// forgetting returns a task with the questions about people to forget, the questions about people to retain, and
// refusals.
func (m *loaded) forgetting(p *people, division profile.Division) (task answering.Task, err error) {
	data := answering.Data{Pad: m.text.padding}
	if data.Forget, err = m.records(p.private.questions(remem.PartForget, division.Forget)); err != nil {
		return task, err
	}
	if data.Retain, err = m.records(p.private.questions(remem.PartRetain, division.Retain)); err != nil {
		return task, err
	}
	for _, sentence := range profile.Refusals() {
		refusal, err := m.text.record("?", sentence, nil)
		if err != nil {
			return task, fmt.Errorf("a refusal: %w", err)
		}
		data.Refusals = append(data.Refusals, refusal.Answer)
	}
	return answering.NewTask(answering.LLaVA(m.config), data)
}
