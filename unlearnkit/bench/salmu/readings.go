package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/grid"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// otherwise lays out methods beside the same methods read otherwise: Descent to Delete with noise for the rows
// that the world's models have learnt, beside Finetuning, with which it begins; and VLUnlearn on the means of pairs.
func (r *Results) otherwise() (*report.Table, error) {
	noise, err := r.trialOf(noiseTrial)
	if err != nil {
		return nil, err
	}
	own := func(name, method string, budget int) row {
		rows := row{Name: name}
		for i, m := range r.Preset.Methods {
			if m.Name == method {
				for _, w := range r.Worlds {
					rows.Scores = append(rows.Scores, w.Methods[i][budget])
				}
			}
		}
		return rows
	}
	tried := func(name string, worlds []WorldScores, budget int) row {
		rows := row{Name: name}
		for _, w := range worlds {
			rows.Scores = append(rows.Scores, w.Methods[0][budget])
		}
		return rows
	}
	rows := []row{
		own("Descent to Delete", "descent-to-delete", 1),
		tried("Descent to Delete, noise for the rows of the world", noise, 1),
		own("Finetuning/1x", "finetuning", 1),
	}
	if means, err := r.trialOf(meansTrial); err == nil {
		rows = append(rows, own("VLUnlearn/5x", "vlunlearn", variantBudget),
			tried("VLUnlearn/5x, means of pairs", means, variantBudget))
	}
	cells := r.certify(rows, Columns(), ownTarget)
	t := grid.Table(fmt.Sprintf("Methods read otherwise (%s)", r.Preset.Name), "Method", cells, len(Columns()),
		func(string) bool { return false }, true)
	_, corrected := grid.Bases(cells)
	t.Note = fmt.Sprintf("n: %s. Intervals, verdicts and stars as in Table 5, corrected over %d.",
		Worlds.Count(len(r.Worlds)), corrected)
	return t, nil
}
