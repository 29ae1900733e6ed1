package train

import (
	"context"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// Tune runs a method, and lets a judge label the model's pictures before the method starts and after each budget. The
// pictures are for the concept to forget, then for concepts to retain, see [concept.Erasure.Tuning]. If the method
// diverges, the remaining budgets have no labels.
func (l *Lab) Tune(ctx context.Context, spec concealment.TuningSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	forget, retain := spec.Erasure.Tuning()
	asked := slices.Concat(inTurns(forget, spec.Forget), inTurns(retain, spec.Retain))
	return l.judged(in.Of(spec.Start), in.Of(spec.Judge), w, func(a *artist, j *judge) error {
		job, err := l.erasing(a, spec.ErasureSpec)
		if err != nil {
			return err
		}
		looks := lab.Looks{
			Work: w, File: concealment.LookFile, Make: func(ctx context.Context, path string) error {
				views, err := a.look(ctx, j, asked, spec.Sampling, func(number int) uint64 {
					return concept.NoiseSeed(spec.Seed, concept.ForTuning, number)
				}, nil)
				if err != nil {
					return err
				}
				return views.WriteParquet(path)
			},
		}
		if err := looks.At(ctx, 0); err != nil {
			return err
		}
		job.Budgets, job.Progress = spec.Budgets, progress
		if err := lab.Judged(ctx, job, looks); err != nil {
			return err
		}
		return looks.Keep(0)
	})
}

// Erase runs a method and stores the resulting model. It notes the relative change of all weights, and the relative
// change of the weights that the method trains.
func (l *Lab) Erase(ctx context.Context, spec concealment.ErasedSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	return l.withArtist(d, in.Of(spec.Start), func(a *artist) error {
		job, err := l.erasing(a, spec.ErasureSpec)
		if err != nil {
			return err
		}
		before, err := a.weights()
		if err != nil {
			return err
		}
		job.Budgets, job.Snapshot, job.Progress = []int{spec.Budget}, func(context.Context, int) error {
			return nil
		}, progress
		if err := lab.Run(ctx, job, w); err != nil {
			return err
		}
		after, err := a.weights()
		if err != nil {
			return err
		}
		all, trained, parameters := before.distances(after)
		w.Note("distance", all)
		w.Note("distance_trained", trained)
		w.Note("parameters_trained", parameters)
		return a.save(w.Dir())
	})
}

// erasing returns the run of a method on an artist's model. The caller must set budgets and snapshots.
func (l *Lab) erasing(a *artist, spec concealment.ErasureSpec) (denoising.Job, error) {
	method, err := l.Method(spec.Method, spec.Version)
	if err != nil {
		return denoising.Job{}, err
	}
	texts, err := namedPrompts(spec.Erasure, spec.Alone)
	if err != nil {
		return denoising.Job{}, err
	}
	task := denoising.NewTask(lending{a.Diffusion, a}, unlearn.Streams{unlearn.Forget: texts})
	return denoising.Job{
		Device: a.Device, Store: a.store, Task: task, Method: method, Values: spec.Values, Seed: spec.Seed,
	}, nil
}

// inTurns asks for count pictures in total. It cycles through the prompts, in the same order in all runs.
func inTurns(prompts []string, count int) concealment.Views {
	var asked concealment.Views
	order := seed.Stream(0, "concealment", "turns").Perm(len(prompts))
	for i := range count {
		if len(prompts) > 0 {
			asked = append(asked, concealment.View{Prompt: prompts[order[i%len(prompts)]], Number: i / len(prompts)})
		}
	}
	return asked
}
