// Package third defines a complete made-up study in a hundred lines. It is the smallest study that the command can run,
// and the one that tests add capabilities to.
//
// Every seed has a gold model, an original that knows the forget set, and two methods that start from the original and
// are judged at two budgets. A score states whether a model recognises one of sixty clips.
package third

import (
	"cmp"
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

// ScoresFile returns the name of the score file of a budget, or of a model without one for 0.
func ScoresFile(budget int) string { return fmt.Sprintf("scores-%d.parquet", budget) }

// Study has one table, which Rows fills, and everything that the command derives from one table.
var Study = &study.Study{
	Paper: "third", Presets: []string{"smoke", "quick"}, Repetitions: seeds,
	Tables: []study.Item{{Name: "1", About: "Forgetting speakers"}},
	Columns: []study.Metric{{Name: "Accuracy", Score: study.Mean("right"), By: []string{"clip"}, Unit: "clip",
		Family: certify.Family{Name: "clips", Crossed: true}, Share: true,
		Target: "Gold", Margin: study.Margin{Absolute: .05}}},
	Layout: study.Layout{Examples: "clips", Repetitions: seeds, Fields: safefile.FieldsOf[score](),
		Keys: []string{"clip"}, References: []string{"Gold"}},
	Rows: rows,
	Claims: []certify.Claim{certify.Says("The original knows more than gold", "§1", "", "Accuracy",
		certify.Greater("Original", "Gold"))},
	Frame: "The models are small.",
}

func rows(plan *study.Plan, preset string, repetitions int) ([]study.Model, error) {
	rows := []study.Model{{Levels: []string{"Gold"}, File: ScoresFile(0)},
		{Levels: []string{"Original"}, File: ScoresFile(0)}}
	for _, m := range methods {
		for _, b := range budgets {
			rows = append(rows, study.Model{Levels: []string{m, fmt.Sprintf("%dx", b)}, Budget: b, File: ScoresFile(b)})
		}
	}
	for s := range uint64(cmp.Or(repetitions, map[string]int{"smoke": 3, "quick": 5}[preset])) {
		title := func(of string) string { return fmt.Sprintf("seed %d: %s", s, of) }
		original := base.Add(plan, title("original"), 10, baseSpec{s, true})
		runs := []*study.Run{base.Add(plan, title("gold"), 10, baseSpec{s, false}), original}
		for _, m := range methods {
			run := forgotten.AddAs(study.Labels{study.MethodLabel: m}, plan, title(m), 1,
				forgottenSpec{original.Input(), m, s})
			runs = append(runs, run, run) // the same run has the scores of both budgets
		}
		for i, run := range runs {
			rows[i].Runs = append(rows[i].Runs, run)
		}
	}
	return rows, nil
}

// Makers compute the scores. Longer training leaves less of the forgotten knowledge.
var Makers = study.NewMakers(
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
	return safefile.WriteRows(w.Path(ScoresFile(budget)), scores)
}
