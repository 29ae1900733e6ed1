package concealment

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Maker computes the stages.
type Maker interface {
	Judge(ctx context.Context, spec JudgeSpec, w *store.Work, progress study.Progress) error
	// Base is given no judge for a gold model, at which nobody looks while it is trained.
	Base(ctx context.Context, spec BaseSpec, judge *store.Artifact, w *store.Work, progress study.Progress) error
	Look(ctx context.Context, spec SamplesSpec, model, judge *store.Artifact, w *store.Work,
		progress study.Progress) error
	Tune(ctx context.Context, spec TuningSpec, start, judge *store.Artifact, w *store.Work,
		progress study.Progress) error
	Erase(ctx context.Context, spec ErasedSpec, start *store.Artifact, w *store.Work, progress study.Progress) error
	Attack(ctx context.Context, spec AttackSpec, original, other, judge *store.Artifact, w *store.Work,
		progress study.Progress) error
	Moved(ctx context.Context, spec MovedSpec, from, to *store.Artifact, w *store.Work) error
	Second(ctx context.Context, spec SecondSpec, judge *store.Artifact, attacks []*store.Artifact, w *store.Work) error
}

// Makers bind the stages to what computes them.
func Makers(m Maker) study.Makers {
	return study.NewMakers(
		Judge.By(func(ctx context.Context, spec JudgeSpec, _ study.Inputs, w *store.Work, report study.Progress) error {
			return m.Judge(ctx, spec, w, report)
		}),
		Base.By(func(ctx context.Context, spec BaseSpec, in study.Inputs, w *store.Work, report study.Progress) error {
			return m.Base(ctx, spec, in.Of(spec.Judge), w, report)
		}),
		Samples.By(func(ctx context.Context, spec SamplesSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Look(ctx, spec, in.Of(spec.Model), in.Of(spec.Judge), w, report)
		}),
		Tuning.By(func(ctx context.Context, spec TuningSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Tune(ctx, spec, in.Of(spec.Start), in.Of(spec.Judge), w, report)
		}),
		Erased.By(func(ctx context.Context, spec ErasedSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Erase(ctx, spec, in.Of(spec.Start), w, report)
		}),
		Attack.By(func(ctx context.Context, spec AttackSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Attack(ctx, spec, in.Of(spec.Original), in.Of(spec.Other), in.Of(spec.Judge), w, report)
		}),
		Moved.By(func(ctx context.Context, spec MovedSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
			return m.Moved(ctx, spec, in.Of(spec.From), in.Of(spec.To), w)
		}),
		Second.By(func(ctx context.Context, spec SecondSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
			return m.Second(ctx, spec, in.Of(spec.Judge), in.All(spec.Attacks), w)
		}),
	)
}
