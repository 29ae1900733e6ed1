package madeup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// unsluScores makes artifacts of UnSLU-BENCH.
type unsluScores struct{}

func (u unsluScores) makers() []study.Maker {
	return []study.Maker{unslu.Backbone.By(u.backbone), unslu.Published.By(u.publish), unslu.Base.By(u.base),
		unslu.Judgement.By(u.judge), unslu.Unlearned.By(u.unlearn)}
}

// backbone writes a name that seeds the random scores. The artifact's key cannot be used as a seed, because it changes
// with every stage's version.
func (u unsluScores) backbone(_ context.Context, spec unslu.BackboneSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, spec.Objective, spec.Languages)
}

func (u unsluScores) publish(_ context.Context, spec unslu.PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, spec.Model)
}

func (u unsluScores) base(_ context.Context, spec unslu.BaseSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	on, err := os.ReadFile(in.Of(spec.Backbone).Path(modelFile))
	if err != nil {
		return err
	}
	name := fmt.Sprint(string(on), spec.Corpus.World.Language, spec.Corpus.World.Seed, spec.Seed, spec.Training.Epochs,
		" gold ", spec.Gold)
	cost := unslu.Cost{Seconds: float64(40 + spec.Training.Epochs), Passes: 9000 * float64(spec.Training.Epochs)}
	return errors.Join(os.WriteFile(w.Path(modelFile), []byte(name), 0o644),
		cost.WriteParquet(w.Path(unslu.CostFile)))
}

func (u unsluScores) judge(_ context.Context, spec unslu.JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	model := in.Of(spec.Model)
	name, err := os.ReadFile(model.Path(modelFile))
	if err != nil {
		return err
	}
	cost, err := os.ReadFile(model.Path(unslu.CostFile))
	if err != nil {
		return err
	}
	known := 1.
	if strings.HasSuffix(string(name), "true") {
		known = unheard
	}
	return errors.Join(os.WriteFile(w.Path(unslu.CostFile), cost, 0o644),
		u.scoresAbout(seed.Stream(1, string(name)), known).WriteParquet(w.Path(unslu.ScoresFile)))
}

// unlearn writes artificial scores and costs. NG diverges at its highest rate.
func (u unsluScores) unlearn(_ context.Context, spec unslu.UnlearnedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	rate := spec.Values["rate"]
	if spec.Method == "negative" && rate > 4e-3 {
		return os.WriteFile(w.Path("diverged.txt"), nil, 0o644)
	}
	name, err := os.ReadFile(in.Of(spec.Start).Path(modelFile))
	if err != nil {
		return err
	}
	random := seed.Stream(1, string(name), spec.Method, fmt.Sprintf("%.3g", rate))
	w.Measure(unslu.SecondsAhead, 0)
	cost := unslu.Cost{Seconds: 1 + 5*random.Float64(), Passes: 1000 + 500*random.Float64()}
	return errors.Join(cost.WriteParquet(w.Path(unslu.CostFile)),
		u.scoresAbout(random, .6+.2*random.Float64()).WriteParquet(w.Path(unslu.ScoresFile)))
}

// unheard is the level of knowledge, between 0 and 1, for clips that a model was not trained on.
const unheard = .4

// scoresAbout returns artificial scores for clips of two forget speakers and of other speakers. The level known,
// between 0 and 1, is how well the model knows the forget clips.
func (u unsluScores) scoresAbout(random *rand.Rand, known float64) (scores unslu.Scores) {
	const intents = 5
	add := func(split string, speakers, clips int, level float64) {
		order := random.Perm(speakers * clips)
		for i := range order {
			s := unslu.Score{ID: fmt.Sprintf("%s-%d", split, i), Split: split,
				Speaker: fmt.Sprintf("%s speaker %d", split, i/clips), Label: i % intents}
			if s.Predicted = s.Label; random.Float64() > .5+.5*level {
				s.Predicted = random.IntN(intents)
			}
			s.Loss = .05 - (1.1-level)*math.Log1p(-(float64(order[i])+.5)/float64(len(order)))
			scores = append(scores, s)
		}
	}
	add(unslu.Forget, 2, 30, known)
	add(unslu.Validation, 2, 20, unheard)
	add(unslu.Test, 3, 20, unheard)
	return scores
}
