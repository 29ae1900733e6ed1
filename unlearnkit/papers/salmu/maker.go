package salmu

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Maker computes the stages.
type Maker interface {
	Base(ctx context.Context, spec BaseSpec, w *store.Work, progress study.Progress) error
	Publish(ctx context.Context, spec PublishedSpec, w *store.Work) error
	Pictures(ctx context.Context, spec PicturesSpec, w *store.Work, progress study.Progress) error
	// Judge and Unlearn are given a base model and, where the corpus is a download, its pictures in the order of
	// [Corpus.Sources].
	Judge(ctx context.Context, spec JudgementSpec, model *store.Artifact, pictures []*store.Artifact, w *store.Work,
		progress study.Progress) error
	Unlearn(ctx context.Context, spec UnlearnedSpec, start *store.Artifact, pictures []*store.Artifact, w *store.Work,
		progress study.Progress) error
}

// Makers bind the stages to what computes them.
func Makers(m Maker) study.Makers {
	return study.NewMakers(
		Base.By(func(ctx context.Context, spec BaseSpec, _ study.Inputs, w *store.Work, report study.Progress) error {
			return m.Base(ctx, spec, w, report)
		}),
		Published.By(func(ctx context.Context, spec PublishedSpec, _ study.Inputs, w *store.Work,
			_ study.Progress) error {
			return m.Publish(ctx, spec, w)
		}),
		Pictures.By(func(ctx context.Context, spec PicturesSpec, _ study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Pictures(ctx, spec, w, report)
		}),
		Judgement.By(func(ctx context.Context, spec JudgementSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Judge(ctx, spec, in.Of(spec.Model), in.All(spec.Pictures), w, report)
		}),
		Unlearned.By(func(ctx context.Context, spec UnlearnedSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Unlearn(ctx, spec, in.Of(spec.Start), in.All(spec.Pictures), w, report)
		}),
	)
}
