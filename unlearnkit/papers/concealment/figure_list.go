package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Figures lists the figures of the paper by number, and additional figures.
var Figures = slices.Concat(
	study.Figures{
		numbered(1, "which model takes which steps of partial diffusion"),
		numbered(2, "strips of three erased concepts"),
		numbered(3, "strips of one method, of what it erased and of what it kept"),
		numbered(4, "a model that never saw a concept draws it with enough help"),
	},
	probes(),
	study.Figures{
		{Name: "accuracy", About: "how the original learns to draw",
			Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
				return AccuracyFigure(r.Accuracies(), r.Gate())
			})},
		{Name: "recovery", About: "how often each erased concept comes back, compared with gold",
			Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
				recoveries, err := r.recoveries()
				if err != nil {
					return nil, err
				}
				return RecoveryFigure(recoveries, r.trainingsText())
			})},
		{Name: "tries", About: "all settings that were tried before the verdicts",
			Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
				choices, err := r.choices()
				if err != nil {
					return nil, err
				}
				return TriesFigure(choices, r.Preset.Tries.Forget)
			})},
		{Name: "replication", About: "the printed scores compared with ours",
			Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
				return replicationFigure(r.replications(), r.Seeds())
			})},
		{Name: "crs", About: "the printed CRS against what equations (7) and (8) can give",
			Printed: func() (*chart.Figure, error) {
				values, err := audit.CRSValues()
				if err != nil {
					return nil, err
				}
				return CRSFigure(values, Alike)
			}},
	})

func numbered(number int, about string) study.Figure {
	return study.Figure{Name: fmt.Sprint(number), About: about,
		Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) { return NumberedFigure(r, number) })}
}

// probes returns the entries for Figures 5 to 17.
func probes() (all study.Figures) {
	for number := 5; number <= 17; number++ {
		for _, prompt := range Mini().Prompts {
			if prompt.Figure == number {
				all = append(all, numbered(number,
					fmt.Sprintf("the attack on %s with “%s”", prompt.Method, prompt.Paper)))
			}
		}
	}
	return all
}
