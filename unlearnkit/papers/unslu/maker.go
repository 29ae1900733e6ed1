package unslu

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Maker computes the stages.
type Maker interface {
	// Backbone is given the backbone that it starts from, nil where there is none.
	Backbone(ctx context.Context, spec BackboneSpec, start *store.Artifact, w *store.Work,
		progress study.Progress) error
	// Publish takes a published backbone into the study.
	Publish(ctx context.Context, spec PublishedSpec, w *store.Work) error
	Base(ctx context.Context, spec BaseSpec, backbone *store.Artifact, w *store.Work, progress study.Progress) error
	Judge(ctx context.Context, spec JudgementSpec, model *store.Artifact, w *store.Work, progress study.Progress) error
	// Unlearn is given the model that the method starts from and, for those that learn from it, the backbone.
	Unlearn(ctx context.Context, spec UnlearnedSpec, start, untrained *store.Artifact, w *store.Work,
		progress study.Progress) error
}

// Makers bind the stages to what computes them.
func Makers(m Maker) study.Makers {
	return study.NewMakers(
		Backbone.By(func(ctx context.Context, spec BackboneSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Backbone(ctx, spec, in.Of(spec.Start), w, report)
		}),
		Published.By(func(ctx context.Context, spec PublishedSpec, _ study.Inputs, w *store.Work,
			_ study.Progress) error {
			return m.Publish(ctx, spec, w)
		}),
		Base.By(func(ctx context.Context, spec BaseSpec, in study.Inputs, w *store.Work, report study.Progress) error {
			return m.Base(ctx, spec, in.Of(spec.Backbone), w, report)
		}),
		Judgement.By(func(ctx context.Context, spec JudgementSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Judge(ctx, spec, in.Of(spec.Model), w, report)
		}),
		Unlearned.By(func(ctx context.Context, spec UnlearnedSpec, in study.Inputs, w *store.Work,
			report study.Progress) error {
			return m.Unlearn(ctx, spec, in.Of(spec.Start), in.Of(spec.Untrained), w, report)
		}),
	)
}
