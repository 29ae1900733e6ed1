package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// contradicted maps columns to how Table 4 contradicts the paper's text.
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
