package study_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// This file defines a complete made-up study. Every seed has a gold model, an original that knows the forget set, and
// two methods that start from the original and are judged at two budgets. A score states whether a model recognises one
// of sixty clips.

type baseSpec struct {
	Seed  uint64 `json:"seed"`
	Knows bool   `json:"knows"` // the model knows the forget set
}

type forgottenSpec struct {
	Start  study.Input `json:"start"`
	Method string      `json:"method"`
	Seed   uint64      `json:"seed"`
}

var (
	base      = study.Stage[baseSpec]{Name: "third/base", Version: 1}
	forgotten = study.Stage[forgottenSpec]{Name: "third/forgotten", Version: 1}
	seeds     = certify.Repetitions{Singular: "seed", Plural: "seeds"}
	methods   = []string{"finetuning", "ascent"}
	budgets   = []int{1, 5}
)

type score struct {
	Clip  int     `parquet:"clip"`
	Right float64 `parquet:"right"`
}

func scoresFile(budget int) string { return fmt.Sprintf("scores-%d.parquet", budget) }

var third = study.Simple{
	Study: study.Study{
		Paper: "third", Presets: []string{"smoke"}, Repetitions: seeds,
		Tables: []study.Item{{Name: "1", About: "Forgetting speakers"}},
		Columns: []study.Metric{{Name: "Accuracy", Score: study.Mean("right"), By: []string{"clip"}, Unit: "clip",
			Family: certify.Family{Name: "clips", Crossed: true}, Share: true,
			Target: "Gold", Margin: study.Margin{Absolute: .05}}},
	},
	Layout: study.Layout{Examples: "clips", Repetitions: seeds, Fields: safefile.FieldsOf[score](),
		Keys: []string{"clip"}, References: []string{"Gold"}},
	Rows: func(plan *study.Plan, _ string, repetitions int) ([]study.Model, error) {
		rows := []study.Model{{Levels: []string{"Gold"}, File: scoresFile(0)},
			{Levels: []string{"Original"}, File: scoresFile(0)}}
		for _, m := range methods {
			for _, b := range budgets {
				rows = append(rows, study.Model{Levels: []string{m, fmt.Sprintf("%dx", b)}, Budget: b, File: scoresFile(b)})
			}
		}
		for s := range uint64(max(3, repetitions)) {
			title := func(of string) string { return fmt.Sprintf("seed %d: %s", s, of) }
			original := base.Add(plan, title("original"), 10, baseSpec{s, true})
			runs := []*study.Run{base.Add(plan, title("gold"), 10, baseSpec{s, false}), original}
			for _, m := range methods {
				run := forgotten.Add(plan, title(m), 1, forgottenSpec{original.Input(), m, s})
				runs = append(runs, run, run) // the same run has the scores of both budgets
			}
			for i, run := range runs {
				rows[i].Runs = append(rows[i].Runs, run)
			}
		}
		return rows, nil
	},
	Claims: []certify.Claim{certify.Says("The original knows more than gold", "§1", "", "Accuracy",
		certify.Greater("Original", "Gold"))},
	Frame: "The models are small.",
}.New()

// Longer training leaves less of the forgotten knowledge.
var thirdMakers = study.NewMakers(
	base.By(func(_ context.Context, spec baseSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
		return writeScores(w, 0, map[bool]float64{true: .9, false: .3}[spec.Knows], seed.Stream(spec.Seed, "base"))
	}),
	forgotten.By(func(_ context.Context, s forgottenSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
		return errors.Join(writeScores(w, 1, .8, seed.Stream(s.Seed, s.Method, 1)),
			writeScores(w, 5, .4, seed.Stream(s.Seed, s.Method, 5)))
	}))

func writeScores(w *store.Work, budget int, share float64, random *rand.Rand) error {
	scores := make([]score, 60)
	for clip := range scores {
		scores[clip].Clip = clip
		if random.Float64() < share {
			scores[clip].Right = 1
		}
	}
	return safefile.WriteRows(w.Path(scoresFile(budget)), scores)
}
