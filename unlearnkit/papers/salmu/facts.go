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
	told, err := r.trialOf(toldTrial)
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
	r.addFacts(t, "Compromised", named(compromised),
		[]study.Label{partKey.Is(ofTrials), trialKey.Is(told), modelKey.Is(compromised)})
	for _, m := range r.Preset.Trials[told].Methods {
		r.addFacts(t, m.Title, []study.Label{partKey.Is(ofMethods), methodKey.Is(m.Name), budgetKey.Is(variantBudget)},
			m.judgedIn(told, variantBudget))
	}
	t.Note = "Other rows: of people who are forgotten in part (IntraIdSim minus AssocStr). Other people: of " +
		"whom nothing is forgotten (InterIdSim minus AssocStr). If the split is by facts, none of a person's " +
		"other rows reveals what a row of the forget set reveals. Both splits use the same models; " + r.byItself()
	return t, nil
}

// addFacts adds the rows of a model to the table.
func (r *Results) addFacts(t *report.Table, name string, own, tried []study.Label) {
	for _, holdouts := range []struct{ name, column string }{{"other rows", "IntraIdSim"},
		{"other people", "InterIdSim"}} {
		panel := &certify.Panel{}
		behind := map[string]certify.Quantity{}
		for split, labels := range map[string][]study.Label{byRows: own, byFacts: tried} {
			for _, name := range []string{holdouts.column, "AssocStr"} {
				m := r.Preset.column(name)
				addOutcomes(panel, split+name, m.Family, r.Seeds(), func(i int) []study.Outcome {
					return m.Outcomes(r.set.Find(r.set.Repetitions[i], labels...), nil)
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
