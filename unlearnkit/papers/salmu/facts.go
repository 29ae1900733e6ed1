package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Ways to divide a person's rows into rows to forget and holdouts.
const (
	byRows  = "rows"
	byFacts = "facts"
)

// facts tabulates the cosines of holdouts minus the forget set's, for the same models under two divisions of the rows.
// If rows are divided, a holdout may state a fact that a row of the forget set also states. If facts are divided, no
// method is trained on a holdout's fact.
func (r *Results) facts() (*report.Table, error) {
	tried, err := r.trialOf(toldTrial)
	if err != nil {
		return nil, err
	}
	t := &report.Table{
		Title: fmt.Sprintf("Cosines of held-out captions minus cosines of the forget set, after %d passes "+
			"(%s)", variantBudget,
			r.Preset.Name),
		Corners: []string{"Model", "Holdouts"},
		Columns: []report.Column{{Name: "split by rows"}, {Name: "split by facts"}, {Name: "facts less rows"},
			{Name: "p"}}}
	trial := r.Preset.Trials[r.Preset.trialAt(toldTrial)]
	r.addFacts(t, "Compromised", compromisedOf, func(world int) *study.Evaluation { return tried[world].Compromised })
	for i, m := range trial.Methods {
		own := place(r.Preset.Methods, m.Name)
		r.addFacts(t, m.Title, func(w WorldScores) *study.Evaluation { return w.Methods[own][variantBudget] },
			func(world int) *study.Evaluation { return tried[world].Methods[i][variantBudget] })
	}
	t.Note = "Other rows: of people who are forgotten in part (IntraIdSim minus AssocStr). Other people: of " +
		"whom nothing is forgotten (InterIdSim minus AssocStr). If the split is by facts, none of a person's " +
		"other rows reveals what a row of the forget set reveals. Both splits use the same models; " + r.byItself()
	return t, nil
}

// addFacts adds the rows of a model to the table.
func (r *Results) addFacts(t *report.Table, name string, own func(w WorldScores) *study.Evaluation,
	tried func(world int) *study.Evaluation) {
	for _, holdouts := range []struct{ name, column string }{{"other rows", "IntraIdSim"},
		{"other people", "InterIdSim"}} {
		panel := &certify.Panel{}
		behind := map[string]certify.Quantity{}
		for split, scores := range map[string]func(world int) *study.Evaluation{
			byRows: func(world int) *study.Evaluation { return own(r.Worlds[world]) }, byFacts: tried,
		} {
			for _, name := range []string{holdouts.column, "AssocStr"} {
				m := r.Preset.column(name)
				addOutcomes(panel, split+name, m.Family, len(r.Worlds), func(world int) []study.Outcome {
					return m.Outcomes(scores(world), nil)
				})
			}
			behind[split] = certify.Difference(certify.Mean(split+holdouts.column), certify.Mean(split+"AssocStr"))
		}
		change := panel.Estimate(certify.Difference(behind[byFacts], behind[byRows]))
		t.Rows = append(t.Rows, report.Named(name, holdouts.name).With(
			signed(panel.Estimate(behind[byRows])), signed(panel.Estimate(behind[byFacts])), signed(change),
			differenceCell(change)))
	}
}
