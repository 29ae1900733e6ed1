package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Sentences of §12.2.
const (
	mostStable = "Generic Captions proves to be the most stable approach regarding embedding structure, maintaining " +
		"scores very close to the Clean model reference"
	moreHarmful = "Shuffled Captions causes more significant drift across both utility and structural metrics, " +
		"confirming that the noise from mismatched pairs is more harmful than the use of generic labels"
	negativeTerritory = "these methods drive the Clean model’s natural baseline alignment (AssocStr 0.142) into " +
		"negative territory (−0.114 and −0.371)"
	evenMore = "Direct Similarity Minimization is even more destructive, causing a larger drop in utility and an " +
		"even more extreme inversion of structure"
)

// cleanClaims returns the claims about Table 6: what methods do to a model that has nothing to forget.
func cleanClaims() []certify.Claim {
	after := func(method, column string) certify.Quantity {
		return value(at("clean "+method, sensitivityBudget), column)
	}
	return []certify.Claim{
		{Name: "Generic Captions hardly moves Clean's cosines", Source: "Table 6, AssocStr .147 from .142",
			Quote: mostStable, Unit: "AssocStr",
			Of: alike(0.05, "AssocStr", after("generic", "AssocStr"), value(clean, "AssocStr"))},
		{Name: "Generic Captions costs Clean only slightly of its general knowledge",
			Source: "§12.2: from .633 to .626",
			Quote:  "it induces a slight degradation in general knowledge (GenKnow drops from 0.633 to 0.626)",
			Unit:   "GenKnow",
			Of:     lessBy(0.014, "GenKnow", value(clean, "GenKnow"), after("generic", "GenKnow"))},
		{Name: "Shuffled Captions costs Clean more general knowledge than Generic Captions",
			Source: "§12.2: .606 and .626", Quote: moreHarmful, Unit: "GenKnow",
			Of: certify.Above(after("generic", "GenKnow"), after("shuffled", "GenKnow"))},
		{Name: "Shuffled Captions moves Clean's cosines farther than Generic Captions",
			Source: "§12.2; Table 6, AssocStr .185 and .147 from .142", Quote: moreHarmful, Unit: "AssocStr",
			Of: certify.MoreThan(0, func(m certify.Means) float64 {
				own := m(of(clean, "AssocStr"))
				return abs(after("shuffled", "AssocStr")(m)-own) - abs(after("generic", "AssocStr")(m)-own)
			})},
		{Name: "Direct Similarity Minimization drives Clean's cosines below zero", Source: "Table 6, AssocStr -.371",
			Quote: negativeTerritory, Unit: "AssocStr",
			Of: certify.LessThan(0, after("direct", "AssocStr"))},
		{Name: "Negative Gradient drives Clean's cosines below zero", Source: "Table 6, AssocStr -.114",
			Quote: negativeTerritory, Unit: "AssocStr",
			Of: certify.LessThan(0, after("negative", "AssocStr"))},
		{Name: "Negative Gradient preserves Clean's general knowledge reasonably well",
			Source: "§12.2: .629 from .633", Quote: "it preserves GenKnow reasonably well (0.629)", Unit: "GenKnow",
			Of: lessBy(0.014, "GenKnow", value(clean, "GenKnow"), after("negative", "GenKnow"))},
		{Name: "Direct Similarity Minimization costs Clean more general knowledge than Negative Gradient",
			Source: "§12.2: .611 and .629", Quote: evenMore, Unit: "GenKnow",
			Of: certify.Above(after("negative", "GenKnow"), after("direct", "GenKnow"))},
	}
}

// atRate names a method at a learning rate in the panel.
func atRate(m Method) string { return fmt.Sprintf("%s at rate %.3g", m.Name, m.Values["rate"]) }

// addRates adds the models of Figure 8 to the panel.
func (r *Results) addRates(panel *certify.Panel) {
	for i, m := range r.Preset.Rates {
		r.add(panel, r.row(atRate(m), false, func(w WorldScores) *study.Evaluation {
			return w.Rates[i][sensitivityBudget]
		}))
	}
}

// rateClaims returns the claims about Figure 8.
func (r *Results) rateClaims() (claims []certify.Claim) {
	byMethod := map[string][]Method{}
	for _, m := range r.Preset.Rates {
		byMethod[m.Name] = append(byMethod[m.Name], m)
	}
	if generic := byMethod["generic"]; len(generic) > 1 {
		claims = append(claims, genericRates(generic)...)
	}
	if negative := byMethod["negative"]; len(negative) > 1 {
		claims = append(claims, negativeRates(negative)...)
	}
	return claims
}

// Sentences of §13.
const (
	sourceRates = "Figure 8, §13"
	ceiling     = "increasing the learning rate degrades utility (GenKnow) without ever reaching the forgetting " +
		"target (RetFail)"
	collapse = "reaching the target RetFail forces AssocStr well below the Clean baseline and eventually collapses " +
		"GenKnow"
	robust = "the identified failure modes are robust properties of the methods, not artifacts of a single " +
		"hyperparameter choice"
)

// genericRates returns the claims about Generic Captions at several rates.
func genericRates(rates []Method) []certify.Claim {
	var above, ineffective [][]certify.Condition
	for _, m := range rates {
		above = append(above, moreBy(0.005, "RetFail", value(atRate(m), "RetFail"), value(clean, "RetFail")))
		ineffective = append(ineffective,
			certify.LessThan(metric.DefaultFailureThresholds().Leak, lost(atRate(m), "RetFail")))
	}
	return []certify.Claim{
		{Name: "At no rate does Generic Captions reach Clean's RetFail", Source: sourceRates, Quote: ceiling,
			Unit: "RetFail", Of: certify.All(above...)},
		{Name: "Generic Captions costs more general knowledge at the highest rate than at the lowest",
			Source: sourceRates, Quote: ceiling, Unit: "GenKnow", Of: falls(rates, "GenKnow")},
		{Name: "Generic Captions is of ineffective forgetting (Type 3) at every rate",
			Source: sourceRates + "; borders are ours", Quote: robust, Unit: "share of RetFail",
			Of: certify.All(ineffective...)},
	}
}

// negativeRates returns the claims about Negative Gradient at several rates.
func negativeRates(rates []Method) []certify.Claim {
	highest := atRate(rates[len(rates)-1])
	var imprecise [][]certify.Condition
	for _, m := range rates {
		imprecise = append(imprecise, certify.MoreThan(0, imprecision(atRate(m))))
	}
	return []certify.Claim{
		{Name: "Negative Gradient at the highest rate reaches Clean's RetFail", Source: sourceRates, Quote: collapse,
			Unit: "RetFail", Of: lessBy(0.005, "RetFail", value(highest, "RetFail"), value(clean, "RetFail"))},
		{Name: "Negative Gradient at the highest rate drives the cosines below Clean's", Source: sourceRates,
			Quote: collapse, Unit: "AssocStr", Of: certify.Above(value(clean, "AssocStr"), value(highest, "AssocStr"))},
		{Name: "Negative Gradient costs more general knowledge at the highest rate than at the lowest",
			Source: sourceRates, Quote: collapse, Unit: "GenKnow", Of: falls(rates, "GenKnow")},
		{Name: "Negative Gradient is over-generalised at every rate that removes the leak",
			Source: sourceRates + "; borders are ours", Quote: robust, Unit: "share", Of: certify.All(imprecise...)},
	}
}

// imprecision returns a quantity above zero if a model still leaks, or if it exceeds a border of over-generalised
// forgetting.
func imprecision(model string) certify.Quantity {
	t := metric.DefaultFailureThresholds()
	return func(m certify.Means) float64 {
		return max(t.Leak-lost(model, "RetFail")(m), overGeneralised(model)(m))
	}
}

// falls requires that a column is lower at the highest of rising rates than at the lowest.
func falls(rates []Method, column string) []certify.Condition {
	return certify.Above(value(atRate(rates[0]), column), value(atRate(rates[len(rates)-1]), column))
}
