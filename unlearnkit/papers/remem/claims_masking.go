package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// maskingClaims returns the claims about knowledge that is hidden instead of erased. They use Exposure and relearning
// of other facts. The reference for Exposure is the gold model, which was not taught about the people to forget. It was
// taught the other candidate values, so it ranks the forgotten values below the middle.
func (r *Results) maskingClaims() (claims []certify.Claim) {
	for _, s := range r.Preset.Sizes {
		beyond := func(method string) []certify.Condition { return gainsMore(s.Name, method) }
		claims = append(claims,
			certify.Claim{Name: "NPO leaves Exposure above that of a model that never learnt, " + s.Name,
				Source: results, Quote: warns, Unit: "Exposure",
				Of: r.moreExposed(s.Name, "NPO")},
			certify.Claim{Name: "Other facts bring back more after NPO than to a model that never learnt, " + s.Name,
				Source: results, Quote: warns, Unit: "percent", Of: beyond("NPO")},
			certify.Claim{Name: "Other facts bring back more than to a model that never learnt, whatever the method, " +
				s.Name, Source: ratioPart, Quote: superficial, Unit: "percent", Of: certify.Each(titlesOfPaper, beyond)})
		claims = append(claims, r.nearDuplicates(s.Name))
	}
	return claims
}

// Sentences of the paper about hidden knowledge.
const (
	warns = "although the high Exposure score warns that this reduction may be limited to “surface-level” " +
		"masking rather than deep erasure"
	superficial = "this aggressive unlearning often results in superficial masking (Chen et al., 2025; Li et " +
		"al., 2025) rather than the complete elimination of the underlying knowledge representation"
)

// gainsMore requires that other facts bring back more after a method than to the gold model.
func gainsMore(size, method string) []certify.Condition {
	return certify.Above(certify.Mean(gainOf(size+"/"+method)), certify.Mean(gainOf(size+"/"+goldRow)))
}

// moreExposed requires that a method leaves Exposure above the gold model's.
func (r *Results) moreExposed(size, method string) []certify.Condition {
	return certify.Above(r.at(size, method, "Exp"), r.at(size, goldRow, "Exp"))
}

// nearDuplicates returns the claim that the GPT-score detects what EM misses. The rules that replace the GPT judge
// search for the same words as EM, so only another judge can test the claim.
func (r *Results) nearDuplicates(size string) certify.Claim {
	c := certify.Claim{Name: "The GPT-score finds more than EM_f, on the mean of the methods, " + size,
		Source: "§6.2, Table 2", Unit: "percent",
		Quote:         "to detect near-duplicate outputs that might evade strict matching",
		Contradiction: "Table 2 prints a GPT-score below EM_f in 8 of 20 places"}
	if !r.judged {
		c.Caveat = "the rules in the judge's place look for the same words as EM"
		return c
	}
	c.Of = certify.Above(r.meanAt(size, "GPT"), r.meanAt(size, "EM_f"))
	return c
}
