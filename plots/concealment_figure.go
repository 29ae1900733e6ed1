package plots

import "github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"

// ConcealmentFigure is a figure of "Unlearning or Concealment?" by its number, from 1 to 17. One whose prompts the
// preset lacks is a [concealment.NotShown].
func ConcealmentFigure(r *concealment.Results, number int) (*Figure, error) {
	switch number {
	case 1:
		handovers, err := r.Preset.Handovers()
		if err != nil {
			return nil, err
		}
		return ConcealmentProcess(handovers)
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
		return ConcealmentGold(p, gold)
	}
	erased, err := p.Attack.Sheets(false)
	if err != nil {
		return nil, err
	}
	return ConcealmentProbe(p, erased, gold)
}

func stripsOf(r *concealment.Results, number int) (*Figure, error) {
	attacks, err := r.Strips(number)
	if err != nil {
		return nil, err
	}
	var sheets []concealment.Sheets
	for _, a := range attacks {
		erased, err := a.Sheets(false)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, erased)
	}
	return ConcealmentStrips(r.Preset.Attack.Psi, attacks, sheets)
}
