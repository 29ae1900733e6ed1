package salmu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
	if len(r.Preset.Attacked) > 0 {
		return nil // the same worlds in the preset worlds answer
	}
	panel := &certify.Panel{}
	for _, base := range []string{clean, compromised, independent} {
		r.add(panel, r.base(base, true, base))
	}
	for i, m := range r.Preset.Methods {
		for _, budget := range m.Budgets {
			r.add(panel, r.row(at(m.Name, budget), false, func(w WorldScores) *study.Evaluation {
				return w.Methods[i][budget]
			}))
		}
	}
	for i, m := range r.Preset.Clean {
		r.add(panel, r.row(at("clean "+m.Name, sensitivityBudget), false, func(w WorldScores) *study.Evaluation {
			return w.FromClean[i][sensitivityBudget]
		}))
	}
	r.addRates(panel)
	judged := certify.JudgeClaims("salmu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
	return append(judged, r.guestClaims()...)
}

// add adds the columns of a model to the panel if the model has scores in every world.
func (r *Results) add(panel *certify.Panel, model row) {
	if slices.ContainsFunc(model.Scores, (*study.Evaluation).Lost) {
		return
	}
	for _, m := range study.WithTarget("", r.Preset.Columns()) {
		column := m.Column(r.references())
		if outcomes, _ := table.Outcomes(model, column); len(outcomes[0]) > 0 { // skip columns without outcomes
			panel.Add(certify.ScoreOf(model.Name, m.Name), table.Repeated(m, outcomes))
		}
	}
}

// claims returns the paper's claims. has reports whether the panel has the mean called name. Of the paper, only the
// supplement is at hand, so no claim is a headline: families are its sections. What its tables show without a sentence
// belongs to the section that presents the table, and the types of failure to §13, which is about them.
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	all := slices.Concat(
		certify.InFamily("§9.1", r.baseClaims()),
		certify.InFamily("§12.1", slices.Concat(r.captionClaims(), ascentClaims(), r.retainClaims(), efficacyClaims(),
			r.budgetClaims(), r.tradeOffClaims(), r.lowBudgetClaims(), r.mildGainClaims(), gainClaims(), coreClaims(),
			r.genericClaims(), r.localityClaims())),
		certify.InFamily("§12.2", cleanClaims()),
		certify.InFamily("§13", slices.Concat(r.typeClaims(), r.rateClaims())),
		certify.InFamily("§9", r.gapClaims()))
	certify.Testable(all, has)
	for i := range all {
		if r.Preset.Download != nil {
			all[i].Finding = "" // the findings explain results on generated data
		}
	}
	return all
}
