package salmu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Sentences of §12.1 that several claims cite.
const (
	bestTradeOff = "it tends to represent the best trade-off across most methods: high forgetting performance " +
		"without significant collateral damage"
	bestAtFirst = "Direct Similarity Minimization performs best at low budgets but deteriorates significantly as " +
		"training progresses"
	overOptimises = "the method’s tendency to over-optimize, resulting in excessive structural damage to the " +
		"embedding space"
	scales    = "This extended view offers insights into how each method scales under increasing resource availability."
	mildGains = "methods like Generic Captions and Shuffled Captions show mild gains with larger budgets"
	saturates = "their forgetting performance often saturates early"
	steady    = "some methods exhibit relatively stable behavior across budgets (e.g., Finetuning, DELETE, " +
		"CLIPERASE)"
)

// chosenBudget is the budget that the paper chose for its main text.
const chosenBudget = 5

// tradeOff returns the share of the leak that a model has lost, less the share of general knowledge that it has lost.
func tradeOff(model string) certify.Quantity {
	return certify.Difference(lost(model, "RetFail"), lost(model, "GenKnow"))
}

// lost returns the share of Compromised's score that a model has lost.
func lost(model, column string) certify.Quantity {
	return func(m certify.Means) float64 {
		from := m(of(compromised, column))
		return (from - m(of(model, column))) / from
	}
}

// overMethods returns the mean of a quantity over the methods that were judged at all the given budgets.
func (r *Results) overMethods(of func(m certify.Means, method Method) float64, budgets ...int) certify.Quantity {
	return func(m certify.Means) float64 {
		sum, n := 0.0, 0.0
		for _, method := range r.Preset.Methods {
			if method.judgedAt(budgets...) {
				sum, n = sum+of(m, method), n+1
			}
		}
		return sum / n
	}
}

// judgedAt reports whether the method was judged at every given budget.
func (m Method) judgedAt(budgets ...int) bool {
	return !slices.ContainsFunc(budgets, func(b int) bool { return !slices.Contains(m.Budgets, b) })
}

// tradeOffClaims returns the claim about the paper's chosen budget, over all methods.
func (r *Results) tradeOffClaims() []certify.Claim {
	var better [][]certify.Condition
	others := map[int]bool{}
	for _, method := range r.Preset.Methods {
		for _, budget := range method.Budgets {
			if others[budget] || !method.judgedAt(chosenBudget) || budget == chosenBudget {
				continue
			}
			others[budget] = true
			better = append(better, certify.MoreThan(0, r.overMethods(func(m certify.Means, method Method) float64 {
				return tradeOff(at(method.Name, chosenBudget))(m) - tradeOff(at(method.Name, budget))(m)
			}, chosenBudget, budget)))
		}
	}
	mean := func(column string) certify.Quantity {
		return r.overMethods(func(m certify.Means, method Method) float64 {
			return lost(at(method.Name, chosenBudget), column)(m)
		}, chosenBudget)
	}
	return []certify.Claim{
		{Name: "Over the methods, five passes are the best trade-off of all budgets", Source: "§12.1",
			Quote: bestTradeOff, Unit: "share of the leak lost less share of GenKnow lost", Of: certify.All(better...)},
		{Name: "Over the methods, five passes remove nine tenths of the leak", Source: "§12.1", Quote: bestTradeOff,
			Unit: "share of RetFail", Of: certify.MoreThan(.9, mean("RetFail"))},
		{Name: "Over the methods, five passes cost less than a twentieth of general knowledge", Source: "§12.1",
			Quote: bestTradeOff, Unit: "share of GenKnow", Of: certify.LessThan(.05, mean("GenKnow"))},
	}
}

// lowBudgetClaims returns the claims about Direct Similarity Minimization at low budgets, in both readings: it is best
// among its own budgets, or best among the methods.
func (r *Results) lowBudgetClaims() []certify.Claim {
	var own, others [][]certify.Condition
	direct := func(budget int) certify.Quantity { return tradeOff(at("direct", budget)) }
	for _, budget := range r.budgets("direct") {
		if budget > chosenBudget {
			own = append(own, certify.Above(direct(chosenBudget), direct(budget)))
		}
	}
	for _, method := range r.Preset.Methods {
		if method.Name != "direct" && !method.Once && method.judgedAt(1) {
			others = append(others, certify.Above(direct(1), tradeOff(at(method.Name, 1))))
		}
	}
	const unit = "share of the leak lost less share of GenKnow lost"
	return []certify.Claim{
		{Name: "Direct Similarity Minimization is a better trade-off after five passes than at larger budgets",
			Source: "§12.1", Quote: bestAtFirst, Unit: unit, Of: certify.All(own...)},
		{Name: "Direct Similarity Minimization is the best trade-off of all methods after one pass", Source: "§12.1",
			Quote: bestAtFirst, Unit: unit, Of: certify.All(others...),
			Contradiction: "Table 5 prints a RetFail of .087 for it and of .005 for Shuffled Captions"},
	}
}

// mildGainClaims returns the claims about Shuffled Captions at larger budgets.
func (r *Results) mildGainClaims() []certify.Claim {
	shuffled := func(budget int, column string) certify.Quantity { return value(at("shuffled", budget), column) }
	return []certify.Claim{
		{Name: "Shuffled Captions leaks less after five passes than after one", Source: "§12.1; Table 5, RetFail " +
			".005 and .004", Quote: mildGains, Unit: "RetFail",
			Of: certify.Above(shuffled(1, "RetFail"), shuffled(chosenBudget, "RetFail"))},
		{Name: "Shuffled Captions tells true captions from shuffled ones less well at every larger budget",
			Source: "§12.1; Table 5, ACS .644 to .551", Quote: mildGains, Unit: "ACS",
			Of: certify.All(steps(r.budgets("shuffled"), func(fewer, more int) []certify.Condition {
				return certify.Above(shuffled(fewer, "ACS"), shuffled(more, "ACS"))
			})...)},
	}
}

// gainClaims returns the claims that methods know more than Compromised. The claims on DELETE and CLIPERase are among
// the retainClaims.
func gainClaims() (claims []certify.Claim) {
	for _, m := range []struct{ name, model, source, finding string }{
		{"Finetuning knows more than Compromised after one pass", at("finetuning", 1), ".646", rateCosts},
		{"Descent to Delete knows more than Compromised", at("descent-to-delete", 1), ".644", rateCosts},
		{"VLUnlearn knows more than Compromised after ten passes", at("vlunlearn", 10), ".641", ""},
	} {
		claims = append(claims, certify.Claim{Name: m.name, Source: "Table 5, GenKnow " + m.source + " against .638",
			Quote: captionTable5, Unit: "GenKnow", Effect: "methods that gain general knowledge",
			Of: certify.Above(value(m.model, "GenKnow"), value(compromised, "GenKnow")), Finding: m.finding})
	}
	return claims
}
