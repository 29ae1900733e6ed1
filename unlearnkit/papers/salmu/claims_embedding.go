package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// coreClaims returns the claims about CoreAssoc after five passes: whether it is above or below Compromised's.
func coreClaims() []certify.Claim {
	core := func(model string) certify.Quantity { return value(model, "CoreAssoc") }
	claim := func(name, source string, of ...[]certify.Condition) certify.Claim {
		return certify.Claim{Name: name, Source: "Table 5, CoreAssoc " + source + " against .183", Quote: captionTable5,
			Unit: "CoreAssoc", Effect: "CoreAssoc of methods", Of: certify.All(of...)}
	}
	rises := func(model string) []certify.Condition { return certify.Above(core(model), core(compromised)) }
	falls := func(method string) []certify.Condition {
		return certify.Above(core(compromised), core(at(method, chosenBudget)))
	}
	return []certify.Claim{
		claim("Generic Captions raises CoreAssoc in five passes", ".185", rises(at("generic", chosenBudget))),
		claim("Finetuning raises CoreAssoc in five passes", ".212", rises(at("finetuning", chosenBudget))),
		claim("Shuffled Captions, Negative Gradient, Descent to Delete and VLUnlearn raise CoreAssoc",
			".200, .204, .230 and .211", rises(at("shuffled", chosenBudget)), rises(at("negative", chosenBudget)),
			rises(at("descent-to-delete", 1)), rises(at("vlunlearn", chosenBudget))),
		claim("Direct Similarity Minimization, DELETE and CLIPERase lower CoreAssoc in five passes",
			".012, .047 and .051", falls("direct"), falls("delete"), falls("cliperase")),
	}
}

// genericClaims returns the claims that Generic Captions raises the cosines with generic captions, which it learns.
func (r *Results) genericClaims() (claims []certify.Claim) {
	const generic = "generic"
	for _, c := range []struct{ column, source string }{
		{"VisIdInt", ".338 against .305"}, {"FragSim", ".310 against .280"},
	} {
		claim := certify.Claim{Name: "Generic Captions raises " + c.column + " in five passes",
			Source: "Table 5, " + c.column + " " + c.source, Quote: captionTable5, Unit: c.column,
			Effect: "Generic Captions and generic captions",
			Of:     certify.Above(value(at(generic, chosenBudget), c.column), value(compromised, c.column))}
		if i := r.place(generic); c.column == "FragSim" && i >= 0 {
			claim.Selection = r.selection(func(w WorldScores) *study.Evaluation { return w.Methods[i][chosenBudget] })
		}
		claims = append(claims, claim)
	}
	return claims
}

// place returns the index of a method in the preset, or -1 if it is missing.
func (r *Results) place(method string) int {
	for i, m := range r.Preset.Methods {
		if m.Name == method {
			return i
		}
	}
	return -1
}

// structureColumns are the cosines by which §12.2 judges the stability of the embedding.
var structureColumns = []string{"AssocStr", "InterIdSim", "IntraIdSim", "VisIdInt", "FragSim"}

// structureClaims returns the claims of §12.2 about the embedding's structure after methods that start from Clean.
func structureClaims() []certify.Claim {
	moved := func(method, column string) certify.Quantity {
		return func(m certify.Means) float64 {
			return abs(m(of(at("clean "+method, sensitivityBudget), column)) - m(of(clean, column)))
		}
	}
	var stable [][]certify.Condition
	for _, column := range structureColumns {
		for _, other := range []string{"shuffled", "direct", "negative"} {
			stable = append(stable, certify.Above(moved(other, column), moved("generic", column)))
		}
	}
	after := func(method string) certify.Quantity {
		return value(at("clean "+method, sensitivityBudget), "AssocStr")
	}
	return []certify.Claim{
		{Name: "Generic Captions moves each of Clean's five cosines less than the other methods", Source: "§12.2",
			Quote: mostStable,
			Unit:  "cosine", Of: certify.All(stable...)},
		{Name: "Direct Similarity Minimization drives Clean's cosines lower than Negative Gradient does",
			Source: "§12.2: -.371 and -.114", Quote: evenMore,
			Unit: "AssocStr", Of: certify.Above(after("negative"), after("direct"))},
	}
}
