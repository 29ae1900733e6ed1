package madeup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// salmuScores makes artifacts of SALMUBench's stages with generated data.
type salmuScores struct{}

func (s salmuScores) makers() []study.Maker {
	return []study.Maker{salmu.Base.By(s.base), salmu.Judgement.By(s.judge), salmu.Unlearned.By(s.unlearn)}
}

func (s salmuScores) base(_ context.Context, spec salmu.BaseSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, spec.Seed, spec.Compromised, spec.Size.Width)
}

func (s salmuScores) judge(_ context.Context, spec salmu.JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	name, err := os.ReadFile(in.Of(spec.Model).Path(modelFile))
	if err != nil {
		return err
	}
	random := seed.Stream(1, string(name), "gap")
	var gap salmu.Scores
	for i := range 24 {
		s := salmu.NewScore(fmt.Sprintf("portrait-%d", i), []string{salmu.GapReal, salmu.GapGenerated}[i%2], i)
		s.Cosine = .2 + .1*random.Float64()
		gap = append(gap, s)
	}
	if err := gap.WriteParquet(w.Path(salmu.GapFile)); err != nil {
		return err
	}
	level := .2
	if strings.Contains(string(name), "true") {
		level = .7
	}
	return s.scoresAbout(seed.Stream(1, string(name)), level).WriteParquet(w.Path(salmu.ScoresFile(0)))
}

// unlearn writes artificial scores. Negative Gradient diverges at its highest rate.
func (s salmuScores) unlearn(_ context.Context, spec salmu.UnlearnedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	if spec.Method == "negative" && spec.Values["rate"] > 5e-5 {
		return os.WriteFile(w.Path("diverged.txt"), nil, 0o644)
	}
	name, err := os.ReadFile(in.Of(spec.Start).Path(modelFile))
	if err != nil {
		return err
	}
	for _, budget := range spec.Budgets {
		random := seed.Stream(1, string(name), spec.Method, fmt.Sprintf("%.3g", spec.Values["rate"]), budget)
		if err := s.scoresAbout(random, random.Float64()).WriteParquet(w.Path(salmu.ScoresFile(budget))); err != nil {
			return err
		}
	}
	return nil
}

// scoresAbout returns artificial scores around a level between 0 and 1. The examples cover three people who are
// forgotten entirely, four who are forgotten in part, three holdouts, and retained data.
func (s salmuScores) scoresAbout(random *rand.Rand, level float64) salmu.Scores {
	near := func() float64 { return .6*level + .4*random.Float64() }
	yes := func() float64 {
		if near() > .5 {
			return 1
		}
		return 0
	}
	var scores salmu.Scores
	add := func(split persona.Split, count int, identity func(i int) int, fill func(i int, s *salmu.Score)) {
		for i := range count {
			s := salmu.NewScore(fmt.Sprintf("%s-%d", split, i), string(split), identity(i))
			fill(i, &s)
			scores = append(scores, s)
		}
	}
	cosine := func(_ int, s *salmu.Score) { s.Cosine = near() }
	known := func(_ int, s *salmu.Score) { s.Right = yes() }
	forgotten := func(i int, s *salmu.Score) {
		s.Cosine, s.Core, s.Rank, s.Right = near(), near(), float64(1+random.IntN(1+int(20*(1-level)))), yes()
		if i%2 == 0 {
			s.True = yes()
		} else {
			s.False = yes()
		}
	}
	add(persona.ForgetIdentity, 12, func(i int) int { return i % 3 }, forgotten)
	add(persona.ForgetAssociation, 12, func(i int) int { return 3 + i%4 }, forgotten)
	add(persona.HoldoutAssociation, 12, func(i int) int { return 3 + i%4 }, cosine)
	add(persona.HoldoutIdentity, 9, func(i int) int { return 7 + i%3 }, cosine)
	add(persona.RetainJoint, 10, func(i int) int { return i }, cosine)
	add(persona.RetainDisjoint, 45, func(i int) int { return 20 + i }, cosine)
	add(salmu.Objects, 20, func(i int) int { return i % 5 }, known)
	return scores
}
