package remem

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Maker computes the stages.
type Maker interface {
	// Publish takes a published model into the study.
	Publish(ctx context.Context, spec PublishedSpec, w *store.Work) error
	Tower(ctx context.Context, spec TowerSpec, w *store.Work, progress study.Progress) error
	Base(ctx context.Context, spec BaseSpec, tower *store.Artifact, w *store.Work, progress study.Progress) error
	Teach(ctx context.Context, spec TaughtSpec, base *store.Artifact, w *store.Work, progress study.Progress) error
	// The others are given a model, and what it stands on below it.
	Unlearn(ctx context.Context, spec UnlearnedSpec, start []*store.Artifact, w *store.Work,
		progress study.Progress) error
	Relearn(ctx context.Context, spec RelearntSpec, from []*store.Artifact, w *store.Work,
		progress study.Progress) error
	Judge(ctx context.Context, spec JudgementSpec, model []*store.Artifact, w *store.Work,
		progress study.Progress) error
	Trace(ctx context.Context, spec TracingSpec, model []*store.Artifact, w *store.Work, progress study.Progress) error
}

// Makers bind the stages to what computes them.
func Makers(m Maker) study.Makers {
	return study.NewMakers(
		Published.By(func(ctx context.Context, spec PublishedSpec, _ study.Inputs, w *store.Work,
			_ study.Progress) error {
			return m.Publish(ctx, spec, w)
		}),
		Tower.By(func(ctx context.Context, spec TowerSpec, _ study.Inputs, w *store.Work, p study.Progress) error {
			return m.Tower(ctx, spec, w, p)
		}),
		Base.By(func(ctx context.Context, spec BaseSpec, in study.Inputs, w *store.Work, p study.Progress) error {
			return m.Base(ctx, spec, in.Of(spec.Tower), w, p)
		}),
		Taught.By(func(ctx context.Context, spec TaughtSpec, in study.Inputs, w *store.Work, p study.Progress) error {
			return m.Teach(ctx, spec, in.Of(spec.Base), w, p)
		}),
		Unlearned.By(func(ctx context.Context, spec UnlearnedSpec, in study.Inputs, w *store.Work,
			p study.Progress) error {
			return m.Unlearn(ctx, spec, in.All(append(spec.Under, spec.Start)), w, p)
		}),
		Relearnt.By(func(ctx context.Context, spec RelearntSpec, in study.Inputs, w *store.Work,
			p study.Progress) error {
			return m.Relearn(ctx, spec, in.All(append(spec.Under, spec.Model)), w, p)
		}),
		Judgement.By(func(ctx context.Context, spec JudgementSpec, in study.Inputs, w *store.Work,
			p study.Progress) error {
			return m.Judge(ctx, spec, in.All(append(spec.Under, spec.Model)), w, p)
		}),
		Tracing.By(func(ctx context.Context, spec TracingSpec, in study.Inputs, w *store.Work,
			p study.Progress) error {
			return m.Trace(ctx, spec, in.All(append(spec.Under, spec.Model)), w, p)
		}),
	)
}
