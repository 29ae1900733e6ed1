package main

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
)

var salmuDrawings = []drawing{
	{"salmu", "6", "portraits of two styles under the model that has seen nothing",
		ofSmallWorlds("6", "portraits of a second style", drawGap(false))},
	{"salmu", "7", "portraits of two styles under the model that has seen the sensitive rows",
		ofSmallWorlds("7", "portraits of a second style", drawGap(true))},
	{"salmu", "8", "two methods of unlearning over learning rates", ofSALMU(drawRates)},
	{"salmu", "budgets", "what methods of unlearning do over their budgets", ofSALMU(drawBudgets)},
	{"salmu", "sizes", "what methods cost larger models, models that keep more, and at other rates",
		ofSmallWorlds("sizes", "models of other sizes", ofSALMU(drawCosts))},
}

// ofSmallWorlds draws what the published data lack something for.
func ofSmallWorlds(name, lacking string, draw func(*reader) (*plots.Figure, error)) func(*reader) (*plots.Figure,
	error) {
	return func(s *reader) (*plots.Figure, error) {
		if s.flags.preset == bench.PaperPreset {
			return nil, &bench.Lacks{Preset: bench.PaperPreset,
				Why: fmt.Sprintf("cannot draw figure %s: the published data have no %s", name, lacking)}
		}
		return draw(s)
	}
}

// ofSALMU draws results of SALMUBench's study.
func ofSALMU(draw func(r *salmu.Results) (*plots.Figure, error)) func(*reader) (*plots.Figure, error) {
	return func(s *reader) (*plots.Figure, error) {
		r, err := s.results("salmu")
		if err != nil {
			return nil, err
		}
		return draw(r.(*salmu.Results))
	}
}

func drawGap(compromised bool) func(*reader) (*plots.Figure, error) {
	return ofSALMU(func(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuGap(r.Gap(compromised)) })
}

func drawRates(r *salmu.Results) (*plots.Figure, error) {
	return plots.SalmuRates(r.Sensitivity(), r.Seeds())
}

func drawBudgets(r *salmu.Results) (*plots.Figure, error) {
	return plots.SalmuBudgets(r.Trajectories("RetFail", "AssocStr", "GenKnow", "IntraIdSim"), r.Seeds())
}

func drawCosts(r *salmu.Results) (*plots.Figure, error) { return plots.SalmuCosts(r.Costs()) }
