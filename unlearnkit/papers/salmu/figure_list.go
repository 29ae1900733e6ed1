package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Figures lists the figures of the paper by number, and additional figures.
var Figures = study.Figures{
	{Name: "6", About: "portraits of two styles under the model that has seen nothing",
		Draw: ofSmallWorlds("6", "portraits of a second style", gap(false))},
	{Name: "7", About: "portraits of two styles under the model that has seen the sensitive rows",
		Draw: ofSmallWorlds("7", "portraits of a second style", gap(true))},
	{Name: "8", About: "two methods of unlearning over learning rates",
		Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) { return RatesFigure(r.sensitivity(), r.Seeds()) })},
	{Name: "budgets", About: "scores of the methods over their budgets",
		Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
			return BudgetsFigure(r.trajectories("RetFail", "AssocStr", "GenKnow", "IntraIdSim"), r.Seeds())
		})},
	{Name: "sizes", About: "why unlearning costs general knowledge: model size, classes, rates",
		Draw: ofSmallWorlds("sizes", "models of other sizes",
			func(r *Results) (*chart.Figure, error) {
				if len(r.Preset.Variants) == 0 {
					return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has models of one size"}
				}
				return CostsFigure(r.costs())
			})},
	{Name: "price", About: "general knowledge lost at equal forgetting, also at lower learning rates",
		Draw: study.FigureFrom(func(r *Results) (*chart.Figure, error) {
			curves, err := r.prices()
			if err != nil {
				return nil, err
			}
			return PriceFigure(curves)
		})},
}

func gap(compromised bool) func(r *Results) (*chart.Figure, error) {
	return func(r *Results) (*chart.Figure, error) { return GapFigure(r.Gap(compromised)) }
}

// ofSmallWorlds returns a figure for generated data. For the published data it returns an error that names what they
// lack.
func ofSmallWorlds(name, lacking string,
	draw func(r *Results) (*chart.Figure, error)) func(r study.Results) (*chart.Figure, error) {
	return study.FigureFrom(func(r *Results) (*chart.Figure, error) {
		if r.Preset.Download != nil {
			return nil, &study.Lacks{Preset: r.Preset.Name,
				Why: fmt.Sprintf("cannot draw figure %s: the published data have no %s", name, lacking)}
		}
		return draw(r)
	})
}
