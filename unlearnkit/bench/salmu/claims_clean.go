package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// cleanClaims are Table 6: what methods do to a model that has nothing to forget.
func cleanClaims() []certify.Claim {
	after := func(method, column string) certify.Quantity {
		return value(at("clean "+method, sensitivityBudget), column)
	}
	return []certify.Claim{
		{Name: "Generic Captions hardly moves Clean's cosines", Source: "Table 6, AssocStr .147 from .142",
			Unit: "AssocStr", Of: alike(0.05, "AssocStr", after("generic", "AssocStr"), value(clean, "AssocStr"))},
		{Name: "Generic Captions costs Clean only slightly of its general knowledge",
			Source: "§12.2: from .633 to .626", Unit: "GenKnow",
			Of: lessBy(0.014, "GenKnow", value(clean, "GenKnow"), after("generic", "GenKnow"))},
		{Name: "Shuffled Captions costs Clean more general knowledge than Generic Captions",
			Source: "§12.2: .606 and .626", Unit: "GenKnow",
			Of: certify.Above(after("generic", "GenKnow"), after("shuffled", "GenKnow"))},
		{Name: "Shuffled Captions moves Clean's cosines farther than Generic Captions",
			Source: "§12.2; Table 6, AssocStr .185 and .147 from .142", Unit: "AssocStr",
			Of: certify.MoreThan(0, func(m certify.Means) float64 {
				own := m(of(clean, "AssocStr"))
				return abs(after("shuffled", "AssocStr")(m)-own) - abs(after("generic", "AssocStr")(m)-own)
			})},
		{Name: "Direct Similarity Minimization drives Clean's cosines below zero", Source: "Table 6, AssocStr -.371",
			Unit: "AssocStr",
			Of:   certify.LessThan(0, after("direct", "AssocStr"))},
		{Name: "Negative Gradient drives Clean's cosines below zero", Source: "Table 6, AssocStr -.114",
			Unit: "AssocStr",
			Of:   certify.LessThan(0, after("negative", "AssocStr"))},
		{Name: "Negative Gradient preserves Clean's general knowledge reasonably well",
			Source: "§12.2: .629 from .633", Unit: "GenKnow",
			Of: lessBy(0.014, "GenKnow", value(clean, "GenKnow"), after("negative", "GenKnow"))},
		{Name: "Direct Similarity Minimization costs Clean more general knowledge than Negative Gradient",
			Source: "§12.2: .611 and .629", Unit: "GenKnow",
			Of: certify.Above(after("negative", "GenKnow"), after("direct", "GenKnow"))},
	}
}

// atRate names a method at a rate in the panel.
func atRate(m Method) string { return fmt.Sprintf("%s at rate %.3g", m.Name, m.Values["rate"]) }

// addRates takes the models of Figure 8 into the panel.
func (r *Results) addRates(panel *certify.Panel) {
	for i, m := range r.Preset.Rates {
		r.add(panel, atRate(m), func(w WorldScores) Scores { return w.Rates[i][sensitivityBudget] })
	}
}

// rateClaims are Figure 8.
func (r *Results) rateClaims() (claims []certify.Claim) {
	byMethod := map[string][]Method{}
	for _, m := range r.Preset.Rates {
		byMethod[m.Name] = append(byMethod[m.Name], m)
	}
	generic, negative := byMethod["generic"], byMethod["negative"]
	if len(generic) > 1 {
		var above [][]certify.Condition
		for _, m := range generic {
			above = append(above, moreBy(0.005, "RetFail", value(atRate(m), "RetFail"), value(clean, "RetFail")))
		}
		claims = append(claims,
			certify.Claim{Name: "At no rate does Generic Captions reach Clean's RetFail", Source: "Figure 8, §13",
				Unit: "RetFail", Of: certify.All(above...)},
			certify.Claim{Name: "Generic Captions costs more general knowledge at the highest rate than at the lowest",
				Source: "Figure 8, §13", Unit: "GenKnow", Of: falls(generic, "GenKnow")})
	}
	if len(negative) > 1 {
		highest := atRate(negative[len(negative)-1])
		claims = append(claims,
			certify.Claim{Name: "Negative Gradient at the highest rate reaches Clean's RetFail",
				Source: "Figure 8, §13", Unit: "RetFail",
				Of: lessBy(0.005, "RetFail", value(highest, "RetFail"), value(clean, "RetFail"))},
			certify.Claim{Name: "Negative Gradient at the highest rate drives the cosines below Clean's",
				Source: "Figure 8, §13", Unit: "AssocStr",
				Of: certify.Above(value(clean, "AssocStr"), value(highest, "AssocStr"))},
			certify.Claim{Name: "Negative Gradient costs more general knowledge at the highest rate than at the lowest",
				Source: "Figure 8, §13", Unit: "GenKnow", Of: falls(negative, "GenKnow")})
	}
	return claims
}

// falls is that a column is lower at the highest of rising rates than at the lowest.
func falls(rates []Method, column string) []certify.Condition {
	return certify.Above(value(atRate(rates[0]), column), value(atRate(rates[len(rates)-1]), column))
}
