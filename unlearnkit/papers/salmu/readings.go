package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// otherwise tabulates methods next to alternative readings of their papers: Descent to Delete with noise for the rows
// that the world's models have learnt, and VLUnlearn on the means of pairs. Descent to Delete is also compared with
// Finetuning, its first stage. Each comparison uses the worlds of its trial.
func (r *Results) otherwise() (*report.Table, error) {
	noise, err := r.trialOf(noiseTrial)
	if err != nil {
		return nil, err
	}
	const once = "Descent to Delete"
	parts := [][]row{{r.in(len(noise), "descent-to-delete", 1, once),
		after(noise, 0, 1, once+", noise for the rows of the world"),
		r.in(len(noise), "finetuning", 1, "Finetuning", "1x")}}
	of := fmt.Sprintf("%s and Finetuning: %s", once, Worlds.Count(len(noise)))
	if means, err := r.trialOf(meansTrial); err == nil {
		parts = append(parts, []row{r.in(len(means), "vlunlearn", variantBudget, "VLUnlearn", "5x"),
			after(means, 0, variantBudget, "VLUnlearn", "5x, means of pairs")})
		of += fmt.Sprintf("; VLUnlearn: %s", Worlds.Count(len(means)))
	}
	columns := r.Preset.Columns()
	t := r.tabulate("Methods read otherwise", "Method", parts[0], columns...)
	for _, rows := range parts[1:] { // they have other numbers of worlds
		t.Rows = append(t.Rows, r.tabulate(t.Title, t.Corner, rows, columns...).Rows...)
	}
	t.Note = of + ". Intervals, verdicts and stars as in Table 5; one world says nothing of others."
	return t, nil
}

// in returns the row of a method of the study in its first worlds.
func (r *Results) in(worlds int, method string, budget int, levels ...string) row {
	return after(r.Worlds[:worlds], place(r.Preset.Methods, method), budget, levels...)
}

// after returns the row of a method, by its index, after a budget.
func after(worlds []WorldScores, method, budget int, levels ...string) row {
	return rowOf(worlds, levels, false, func(w WorldScores) *study.Evaluation { return w.Methods[method][budget] })
}
