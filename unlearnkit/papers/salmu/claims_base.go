package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// contradicted maps columns to how Table 4 contradicts the paper's text.
var contradicted = map[string]string{"CoreAssoc": "Table 4 prints .169, nearer to .183 than to .151"}

// baseClaims returns the claims about the models without unlearning.
func (r *Results) baseClaims() (claims []certify.Claim) {
	const trained = "only Compromised was trained on the rows that " // what makes Compromised differ, by design
	for _, column := range leaks {
		claims = append(claims, reading("Compromised has a higher "+column+" than Clean", "Table 4", column,
			certify.Greater(compromised, clean)).Checks(trained+column+" is about"))
	}
	for _, column := range leaks {
		c := certify.Says("A model of other data is nearer to Clean than to Compromised in "+column, "§9.1, Table 4",
			"this independent model’s sensitive-set metrics closely track our Clean model", column,
			certify.Nearer(independent, clean, compromised)).Checks(trained + column + " is about")
		c.Contradiction = contradicted[column]
		claims = append(claims, c)
	}
	holdouts := reading("Compromised likes the holdouts' captions as it likes those of the forget set",
		"Tables 4 and 5: .321, .321 and .322", "AssocStr", likeForgotten.likeHoldouts(compromised)).
		Checks("it was trained on all of them, and they are random parts")
	holdouts.Unit = "cosine"
	fragile := reading("Clean keeps the fragile pairs better than Compromised",
		"Tables 5 and 6: FragSim .309 against .280", "FragSim", certify.Greater(clean, compromised))
	fragile.Selection = r.selection(named(clean)...)
	return append(claims, holdouts,
		reading("Clean tells true from shuffled captions better than by chance", "Table 4: ACS .602", "ACS",
			certify.Over(0.5, clean)),
		reading("Clean binds known faces to generic captions better than Compromised",
			"Tables 5 and 6: VisIdInt .331 against .305", "VisIdInt", certify.Greater(clean, compromised)),
		fragile,
		reading("Seeing the sensitive rows changes general knowledge by less than a twentieth",
			"Tables 5 and 6: GenKnow .638 and .633", "GenKnow", twentieth.near(clean, compromised)))
}

// reading returns a claim that the paper does not make in words, but that its tables show.
func reading(name, source, column string, of certify.Relation) certify.Claim {
	return certify.Says(name, source, "", column, of).Ours()
}
