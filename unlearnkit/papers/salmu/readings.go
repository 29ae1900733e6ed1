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
	worlds := r.Preset.Trials[noise].Worlds
	parts := [][]study.Row{{r.firstWorlds(worlds, "descent-to-delete", 1, once),
		r.tried(noise, 1, once+", noise for the rows of the world"),
		r.firstWorlds(worlds, "finetuning", 1, "Finetuning", "1x")}}
	of := fmt.Sprintf("%s and Finetuning: %s", once, Worlds.Count(worlds))
	if means, err := r.trialOf(meansTrial); err == nil {
		worlds := r.Preset.Trials[means].Worlds
		parts = append(parts, []study.Row{r.firstWorlds(worlds, "vlunlearn", variantBudget, "VLUnlearn", "5x"),
			r.tried(means, variantBudget, "VLUnlearn", "5x, means of pairs")})
		of += fmt.Sprintf("; VLUnlearn: %s", Worlds.Count(worlds))
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
func (r *Results) firstWorlds(worlds int, method string, budget int, levels ...string) study.Row {
	return r.set.Only(r.set.Repetitions[:worlds]...).Row(levels, false, partKey.Is(ofMethods), methodKey.Is(method),
		budgetKey.Is(budget))
}

// tried returns the row of the only method of a trial.
func (r *Results) tried(trial, budget int, levels ...string) study.Row {
	t := r.Preset.Trials[trial]
	return r.set.Only(r.set.Repetitions[:t.Worlds]...).Row(levels, false, t.Methods[0].judgedIn(trial, budget)...)
}
