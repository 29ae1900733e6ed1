package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// atRate returns the panel's name of a method at a learning rate.
func atRate(method string, rate float64) string { return fmt.Sprintf("%s at rate %.3g", method, rate) }

// atItsRate returns the panel's name of a method at its learning rate.
func (m Method) atItsRate() string { return atRate(m.Name, m.Values["rate"]) }

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

// Sentences of §13 that claims cite.
const (
	sourceRates = "Figure 8, §13"
	ceiling     = "increasing the learning rate degrades utility (GenKnow) without ever reaching the forgetting " +
		"target (RetFail)"
	collapse = "reaching the target RetFail forces AssocStr well below the Clean baseline and eventually collapses " +
		"GenKnow"
	robust = "the identified failure modes are robust properties of the methods, not artifacts of a single " +
		"hyperparameter choice"
)

// largest says why a claim about the highest rate is a sanity check.
const largest = "the highest of the rates moves the model farthest"

// genericRates returns the claims about Generic Captions at several rates.
func genericRates(rates []Method) []certify.Claim {
	var higher []certify.Relation
	var ineffective [][]certify.Condition
	for _, m := range rates {
		higher = append(higher, asLeaky.wellAbove(m.atItsRate(), clean))
		ineffective = append(ineffective,
			certify.LessThan(metric.DefaultFailureThresholds().Leak, lostShare(m.atItsRate(), "RetFail")))
	}
	lowest, highest := rates[0].atItsRate(), rates[len(rates)-1].atItsRate()
	return []certify.Claim{
		certify.Says("At no rate does Generic Captions reach Clean's RetFail", sourceRates, ceiling, "RetFail",
			certify.Every(higher...)),
		certify.Says("Generic Captions costs more general knowledge at the highest rate than at the lowest",
			sourceRates, ceiling, "GenKnow", certify.Greater(lowest, highest)).Checks(largest),
		certify.Says("Generic Captions is of ineffective forgetting (Type 3) at every rate",
			sourceRates, robust, "share of RetFail", certify.Is(certify.With(ownBorders(), certify.All(ineffective...)))),
	}
}

// negativeRates returns the claims about Negative Gradient at several rates.
func negativeRates(rates []Method) []certify.Claim {
	lowest, highest := rates[0].atItsRate(), rates[len(rates)-1].atItsRate()
	var imprecise [][]certify.Condition
	for _, m := range rates {
		imprecise = append(imprecise, certify.MoreThan(0, imprecision(m.atItsRate())))
	}
	return []certify.Claim{
		certify.Says("Negative Gradient at the highest rate reaches Clean's RetFail", sourceRates, collapse, "RetFail",
			asLeaky.hardlyAbove(highest, clean)).Checks(largest),
		certify.Says("Negative Gradient at the highest rate drives the cosines below Clean's", sourceRates, collapse,
			"AssocStr", certify.Greater(clean, highest)).Checks(largest),
		certify.Says("Negative Gradient costs more general knowledge at the highest rate than at the lowest",
			sourceRates, collapse, "GenKnow", certify.Greater(lowest, highest)).Checks(largest),
		certify.Says("Negative Gradient is over-generalised at every rate that removes the leak",
			sourceRates, robust, "share", certify.Is(certify.With(ownBorders(), certify.All(imprecise...)))),
	}
}

// imprecision returns a quantity that is above zero if a model still leaks, or if it exceeds a threshold of
// over-generalised forgetting.
func imprecision(model string) certify.Quantity {
	t := metric.DefaultFailureThresholds()
	return func(m certify.Means) float64 {
		return max(t.Leak-lostShare(model, "RetFail")(m), overGeneralised(model)(m))
	}
}
