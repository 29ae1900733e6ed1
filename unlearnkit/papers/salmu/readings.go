package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// interpretations tabulates methods under other interpretations of their papers: Descent to Delete with noise for the
// number of rows that the world's models were trained on, and VLUnlearn on the means of pairs. It also compares Descent
// to Delete with Finetuning, its first stage. Each comparison uses the worlds of its trial.
func (r *Results) interpretations() (*report.Table, error) {
	noise, err := r.trialOf(noiseTrial)
	if err != nil {
		return nil, err
	}
	const once = "Descent to Delete"
	parts := [][]row{{r.firstWorlds(len(noise), "descent-to-delete", 1, once),
		after(noise, 0, 1, once+", noise for the rows of the world"),
		r.firstWorlds(len(noise), "finetuning", 1, "Finetuning", "1x")}}
	of := fmt.Sprintf("%s and Finetuning: %s", once, Worlds.Count(len(noise)))
	if means, err := r.trialOf(meansTrial); err == nil {
		parts = append(parts, []row{r.firstWorlds(len(means), "vlunlearn", variantBudget, "VLUnlearn", "5x"),
			after(means, 0, variantBudget, "VLUnlearn", "5x, means of pairs")})
		of += fmt.Sprintf("; VLUnlearn: %s", Worlds.Count(len(means)))
	}
	columns := r.Preset.Columns()
	t := r.tabulate("Methods read otherwise", "Method", parts[0], columns...)
	for _, rows := range parts[1:] { // these rows differ in their number of worlds
		t.Rows = append(t.Rows, r.tabulate(t.Title, t.Corner, rows, columns...).Rows...)
	}
	t.Note = of + ". Intervals, verdicts and stars as in Table 5; one world says nothing about others."
	return t, nil
}

// firstWorlds returns the row of one of the study's methods, in the first worlds only.
func (r *Results) firstWorlds(worlds int, method string, budget int, levels ...string) row {
	return after(r.Worlds[:worlds], place(r.Preset.Methods, method), budget, levels...)
}

// after returns the row of a method at a budget. The method is given by its index.
func after(worlds []WorldScores, method, budget int, levels ...string) row {
	return rowOf(worlds, levels, false, func(w WorldScores) *study.Evaluation { return w.Methods[method][budget] })
}
