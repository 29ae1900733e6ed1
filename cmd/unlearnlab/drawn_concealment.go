package main

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
)

var concealmentDrawings = append([]drawing{
	{"concealment", "1", "which model takes which steps of partial diffusion", drawProcess},
	{"concealment", "2", "strips of three erased concepts", drawNumber(2)},
	{"concealment", "3", "strips of one method, of what it erased and of what it kept", drawNumber(3)},
	{"concealment", "4", "gold draws what it has never seen", drawNumber(4)},
}, append(probes(), []drawing{
	{"concealment", "accuracy", "how the original learns to draw", ofResults(drawAccuracy)},
	{"concealment", "recovery", "what comes back of every erased concept, beside gold", ofResults(drawRecovery)},
	{"concealment", "crs", "the printed CRS against what equations (7) and (8) can give", drawCRS},
}...)...)

// probes are Figures 5 to 17.
func probes() []drawing {
	var all []drawing
	for number := 5; number <= 17; number++ {
		for _, prompt := range concealment.Mini().Prompts {
			if prompt.Figure == number {
				all = append(all, drawing{"concealment", fmt.Sprint(number),
					fmt.Sprintf("the attack on %s with “%s”", prompt.Method, prompt.Paper),
					drawNumber(number)})
			}
		}
	}
	return all
}

// ofResults draws results of the study of concealment.
func ofResults(draw func(r *concealment.Results) (*plots.Figure, error)) func(*reader) (*plots.Figure, error) {
	return func(s *reader) (*plots.Figure, error) {
		if err := inSmallWorlds(s); err != nil {
			return nil, err
		}
		r, err := s.results("concealment")
		if err != nil {
			return nil, err
		}
		figure, err := draw(r.(*concealment.Results))
		return figure, err
	}
}

// inSmallWorlds refuses the preset that the study lacks.
func inSmallWorlds(s *reader) error {
	if s.flags.preset == bench.PaperPreset {
		return &bench.Lacks{Preset: bench.PaperPreset, Why: "is none of the study's: its figures are drawn of small " +
			"worlds alone"}
	}
	return nil
}

func drawProcess(s *reader) (*plots.Figure, error) {
	if err := inSmallWorlds(s); err != nil {
		return nil, err
	}
	preset, err := concealment.Named(s.flags.preset)
	if err != nil {
		return nil, usageError{err}
	}
	handovers, err := preset.Handovers()
	if err != nil {
		return nil, err
	}
	return plots.ConcealmentProcess(handovers)
}

func drawNumber(number int) func(*reader) (*plots.Figure, error) {
	return ofResults(func(r *concealment.Results) (*plots.Figure, error) { return plots.ConcealmentFigure(r, number) })
}

func drawAccuracy(r *concealment.Results) (*plots.Figure, error) {
	return plots.ConcealmentAccuracy(r.Accuracies(), r.Gate())
}

func drawRecovery(r *concealment.Results) (*plots.Figure, error) {
	return plots.ConcealmentRecovery(r.Recoveries(), r.Seeds())
}

// likeCosine is what features of like pictures have at least: they come after a ReLU and point into one corner of their
// space.
const likeCosine = .7

func drawCRS(*reader) (*plots.Figure, error) {
	values, err := audit.CRSValues()
	if err != nil {
		return nil, err
	}
	return plots.CRSRange(values, likeCosine)
}
