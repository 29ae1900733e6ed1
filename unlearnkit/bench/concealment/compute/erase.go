package compute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Tune runs a method and lets a judge look at what the model draws after each budget, and before the first: what is to
// be forgotten, then what is to be kept, see [concept.Erasure.Tuning]. A run that diverges has no views of the budgets
// from there on.
func (l *Lab) Tune(ctx context.Context, spec concealment.TuningSpec, start, by *store.Artifact, w *store.Work,
	progress study.Progress) error {
	forget, retain := spec.Erasure.Tuning()
	asked := slices.Concat(inTurns(forget, spec.Forget), inTurns(retain, spec.Retain))
	return l.judged(start, by, w, func(a *artist, j *judge) error {
		job, err := l.erasing(a, spec.ErasureSpec, w)
		if err != nil {
			return err
		}
		look := func(ctx context.Context, budget int) error {
			kept := lookFile(w.Resume(), budget)
			if _, err := os.Stat(kept); err == nil {
				return nil
			}
			views, err := a.look(ctx, j, asked, spec.Sampling, func(number int) uint64 {
				return concept.NoiseSeed(spec.Seed, concept.ForTuning, number)
			}, nil)
			if err != nil {
				return err
			}
			return views.WriteParquet(kept)
		}
		if err := look(ctx, 0); err != nil {
			return err
		}
		job.Budgets, job.Snapshot, job.Progress = spec.Budgets, look, progress
		err = run(ctx, job, w)
		if err != nil && !errors.Is(err, train.ErrDiverged) {
			return err
		}
		if err != nil {
			w.Note("warning", err.Error())
		}
		for _, budget := range append([]int{0}, spec.Budgets...) {
			if err := copyFile(lookFile(w.Resume(), budget), lookFile(w.Dir(), budget)); err != nil &&
				!errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	})
}

// Erase runs a method and keeps the model that it leaves. It notes how far the weights have moved, relative to where
// they were: all of them, and those that have moved at all, which are the ones that the method trains.
func (l *Lab) Erase(ctx context.Context, spec concealment.ErasedSpec, start *store.Artifact, w *store.Work,
	progress study.Progress) error {
	d, err := l.device(w)
	if err != nil {
		return err
	}
	return l.withArtist(d, start, func(a *artist) error {
		job, err := l.erasing(a, spec.ErasureSpec, w)
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
		if err := run(ctx, job, w); err != nil {
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

// run runs the job and keeps the log of its steps.
func run(ctx context.Context, job unlearn.Job, w *store.Work) error {
	result, err := job.Run(ctx)
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return err
	}
	w.Note("examples", result.Log.Examples())
	w.Note("passes", result.Passes)
	if err := result.Log.WriteParquet(w.Path(study.StepsFile)); err != nil {
		return err
	}
	return err // that it diverged, if it did
}

// erasing is the run of a method on an artist's model; what it is run for is to be added.
func (l *Lab) erasing(a *artist, spec concealment.ErasureSpec, w *store.Work) (unlearn.Job, error) {
	method, err := l.method(spec.Method)
	if err != nil {
		return unlearn.Job{}, err
	}
	texts, err := named(spec.Erasure, spec.Alone)
	if err != nil {
		return unlearn.Job{}, err
	}
	model := a.Diffusion
	model.Streams = map[string]unlearn.Stream{unlearn.Forget: texts}
	return unlearn.Job{
		Device: a.Device, Store: a.store, Task: task{model, a}, Method: method, Values: spec.Values, Seed: spec.Seed,
		Folder: w.Resume(), Identity: string(w.Key),
	}, nil
}

func (l *Lab) method(name string) (unlearn.Method, error) {
	var names []string
	for _, m := range l.methods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if guess := spelling.Nearest(name, names); guess != "" {
		return unlearn.Method{}, fmt.Errorf("no method of erasing is called %q; did you mean %q?", name, guess)
	}
	return unlearn.Method{}, fmt.Errorf("no method of erasing is called %q; there are %s", name,
		strings.Join(names, ", "))
}

// inTurns asks for so many pictures of prompts that take turns, in an order that is the same for all runs.
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
