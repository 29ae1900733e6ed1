package train

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Look draws pictures with a model and writes the judge's labels of them.
func (l *Lab) Look(ctx context.Context, spec concealment.SamplesSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	asked := ask(spec.Prompts, spec.Each)
	if _, err := tokens(spec.Prompts...); err != nil {
		return err
	}
	return l.judged(in.Of(spec.Model), in.Of(spec.Judge), w, func(a *artist, j *judge) error {
		views, err := a.look(ctx, j, asked, spec.Sampling, func(number int) uint64 {
			return concept.NoiseSeed(spec.Seed, concept.ForEvaluation, number)
		}, progress)
		if err != nil {
			return err
		}
		return views.WriteParquet(w.Path(concealment.ViewsFile))
	})
}
