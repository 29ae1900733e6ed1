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
	for _, base := range layout.References {
		r.add(panel, base, r.baseRow(base, true, base))
	}
	for _, row := range r.set.Rows(partKey.Is(ofMethods)) {
		r.add(panel, nameOf(methodKey.Of(row.Labels), budgetKey.Of(row.Labels)), row)
	}
	for _, row := range r.set.Rows(partKey.Is(ofClean), budgetKey.Is(sensitivityBudget)) {
		r.add(panel, afterClean(methodKey.Of(row.Labels)), row)
	}
	for _, row := range r.set.Rows(partKey.Is(ofRates), budgetKey.Is(sensitivityBudget)) {
		r.add(panel, atRate(methodKey.Of(row.Labels), rateKey.Of(row.Labels)), row)
	}
	judged := certify.JudgeClaims("salmu", r.Preset.Name, r.Seeds(), panel, r.claims(panel.Has))
	return append(judged, r.guestClaims()...)
}

// add adds the columns of a model to the panel under a name, if the model has scores in every world.
func (r *Results) add(panel *certify.Panel, name string, model study.Row) {
	refs := r.set.References()
	if slices.ContainsFunc(model.Scores, (*study.Evaluation).Lost) {
		return
	}
	for _, m := range study.WithTarget("", r.Preset.Columns()) {
		column := m.Column(refs)
		if outcomes, _ := table.Outcomes(model, column); len(outcomes[0]) > 0 { // skip columns without outcomes
			panel.Add(certify.ScoreOf(name, m.Name), table.Repeated(m, outcomes))
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
