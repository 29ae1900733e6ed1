package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
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

// Names of the base models among the references and in the panel.
const (
	clean       = "clean"
	compromised = "compromised"
	independent = "independent"
)

// at names a method at a budget.
func at(method string, budget int) string { return fmt.Sprintf("%s %dx", method, budget) }

// add adds the columns of a model to the panel if the model has scores in every world.
func (r *Results) add(panel *certify.Panel, model row) {
	if slices.ContainsFunc(model.Scores, (*study.Evaluation).Lost) {
		return
	}
	for _, m := range study.WithTarget("", r.Preset.Columns()) {
		column := m.Column(r.references())
		if outcomes, _ := table.Outcomes(model, column); len(outcomes[0]) > 0 { // else the column is not judged
			panel.Add(certify.ScoreOf(model.Name, m.Name), table.Repeated(m, outcomes))
		}
	}
}

// claims returns the paper's claims as quantities that are above zero if the claims are true. The function has reports
// whether the panel has a mean. The headline is the abstract's: deletion that spares utility is feasible, and methods
// fail in distinct ways, by too little or too much.
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	all := slices.Concat(
		certify.InFamily("§9.1", r.baseClaims()),
		certify.InFamily("§12.1", slices.Concat(r.captionClaims(), ascentClaims(), r.retainClaims(), efficacyClaims(),
			r.budgetClaims(), r.tradeOffClaims(), r.lowBudgetClaims(), r.mildGainClaims(), gainClaims(), coreClaims(),
			r.genericClaims())),
		certify.InFamily(certify.Headline, slices.Concat(r.localityClaims(), r.typeClaims())),
		certify.InFamily("§12.2", cleanClaims()),
		certify.InFamily("§13", r.rateClaims()),
		certify.InFamily("§9", r.gapClaims()))
	certify.Testable(all, has)
	for i := range all {
		if r.Preset.Download != nil {
			all[i].Finding = "" // findings are about small worlds
		}
	}
	return all
}

// contradicted describes how Table 4 contradicts the text, by column.
var contradicted = map[string]string{"CoreAssoc": "Table 4 prints .169, nearer to .183 than to .151"}

// Captions of tables that claims cite.
const (
	captionTable4 = "Sensitive-set efficacy metrics for the Clean, Compromised, and an independent OpenCLIP " +
		"(LAION-400M) model."
	captionTable5 = "Performance of baseline unlearning methods across different computational budgets."
	captionTable6 = "The first row lists the metrics of the unmodified Clean model."
)

// baseClaims returns the claims about the models without unlearning.
func (r *Results) baseClaims() (claims []certify.Claim) {
	for _, column := range leaks {
		claims = append(claims, certify.Says("Compromised has a higher "+column+" than Clean", "Table 4",
			captionTable4, column,
			certify.Greater(compromised, clean)))
	}
	for _, column := range leaks {
		c := certify.Says("A model of other data is nearer to Clean than to Compromised in "+column, "§9.1, Table 4",
			"this independent model’s sensitive-set metrics closely track our Clean model", column,
			certify.Nearer(independent, clean, compromised))
		c.Contradiction = contradicted[column]
		claims = append(claims, c)
	}
	holdouts := certify.Says("Compromised likes the holdouts' captions as it likes those of the forget set",
		"Tables 4 and 5: .321, .321 and .322", captionTable5, "AssocStr", likeHoldouts(0.01, compromised))
	holdouts.Unit = "cosine"
	fragile := certify.Says("Clean keeps the fragile pairs better than Compromised",
		"Tables 5 and 6: FragSim .309 against .280", captionTable6, "FragSim", certify.Greater(clean, compromised))
	fragile.Selection = r.selection(cleanOf)
	return append(claims, holdouts,
		certify.Says("Clean tells true from shuffled captions better than by chance", "Table 4: ACS .602",
			captionTable4, "ACS",
			certify.Over(0.5, clean)),
		certify.Says("Clean binds known faces to generic captions better than Compromised",
			"Tables 5 and 6: VisIdInt .331 against .305", captionTable6, "VisIdInt", certify.Greater(clean,
				compromised)),
		fragile,
		certify.Says("Seeing the sensitive rows changes general knowledge by less than a twentieth",
			"Tables 5 and 6: GenKnow .638 and .633", captionTable6, "GenKnow", near(twentieth, clean, compromised)))
}
