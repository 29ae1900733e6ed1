package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// NumberedFigure draws a figure of "Unlearning or Concealment?" by its number, from 1 to 17. If the preset lacks the
// figure's prompts, it returns a [*study.Lacks].
func NumberedFigure(r *Results, number int) (*chart.Figure, error) {
	switch number {
	case 1:
		handovers, err := r.Preset.Handovers()
		if err != nil {
			return nil, err
		}
		return ProcessFigure(handovers)
	case 2, 3:
		return stripsOf(r, number)
	}
	p, err := r.Probe(number)
	if err != nil {
		return nil, err
	}
	gold, err := p.Attack.Sheets(true)
	if err != nil {
		return nil, err
	}
	if len(p.Attack.Unlearned) == 0 {
		return GoldFigure(p, gold)
	}
	erased, err := p.Attack.Sheets(false)
	if err != nil {
		return nil, err
	}
	return ProbeFigure(p, erased, gold)
}

func stripsOf(r *Results, number int) (*chart.Figure, error) {
	probes, err := r.strips(number)
	if err != nil {
		return nil, err
	}
	var sheets []Sheets
	for _, p := range probes {
		erased, err := p.Attack.Sheets(false)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, erased)
	}
	return StripsFigure(probes, sheets)
}
