package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims are what the paper says, judged on the results.
func (r *Results) Claims() []study.Judged {
	panel := &study.Panel{}
	for _, base := range []struct {
		name string
		of   func(w WorldScores) Scores
	}{{clean, func(w WorldScores) Scores { return w.Clean }}, {compromised, func(w WorldScores) Scores { return w.Compromised }}, {independent, func(w WorldScores) Scores { return w.Independent }}} {
		r.add(panel, base.name, base.of)
	}
	for i, m := range r.Preset.Methods {
		for _, budget := range m.Budgets {
			r.add(panel, at(m.Name, budget), func(w WorldScores) Scores { return w.Methods[i][budget] })
		}
	}
	for i, m := range r.Preset.Clean {
		r.add(panel, at("clean "+m.Name, sensitivityBudget), func(w WorldScores) Scores { return w.FromClean[i][sensitivityBudget] })
	}
	return study.Judge("salmu", r.Preset.Name, len(r.Worlds), panel, certifyRoot, r.claims(panel))
}

// Names of the base models in the panel.
const (
	clean       = "clean"
	compromised = "compromised"
	independent = "independent"
)

// at names a method at a budget, and of a column of a model.
func at(method string, budget int) string { return fmt.Sprintf("%s %dx", method, budget) }
func of(model, column string) string      { return model + ": " + column }

// families tell which examples depend on each other: pictures of one person, or of one class of objects.
func (c Column) family() string {
	switch c.Name {
	case "GenKnow":
		return "objects"
	case "FragSim":
		return "other people"
	}
	return "people"
}

// add takes the columns of a model into the panel, if it has scores in every world.
func (r *Results) add(panel *study.Panel, name string, scores func(w WorldScores) Scores) {
	for _, w := range r.Worlds {
		if scores(w) == nil {
			return
		}
	}
	for _, c := range Columns() {
		var samples []study.Sample
		for _, w := range r.Worlds {
			outcomes := c.Outcomes(scores(w), w.Compromised)
			samples = append(samples, sample(outcomes, outcomes))
		}
		panel.Add(of(name, c.Name), c.family(), samples)
	}
}

// claims are those of the paper as quantities that are above zero where they are true.
func (r *Results) claims(panel *study.Panel) []study.Claim {
	var all []study.Claim
	all = append(all, baseClaims()...)
	all = append(all, r.slowClaims()...)
	all = append(all, r.localityClaims()...)
	all = append(all, r.cleanClaims()...)
	for i := range all {
		if !testable(panel, all[i].Of) {
			all[i].Of = nil
		}
	}
	return all
}

// testable tells whether the panel has every mean that a quantity asks for.
func testable(panel *study.Panel, q study.Quantity) bool {
	complete := true
	q(func(name string) float64 {
		complete = complete && panel.Has(name)
		return 0
	})
	return complete
}

// baseClaims are about the models that nothing was unlearned from.
func baseClaims() []study.Claim {
	var all []study.Claim
	for _, column := range []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc"} {
		all = append(all, study.Claim{
			Name: "Compromised has a higher " + column + " than Clean", Source: "Table 4", Unit: column,
			Of: func(m study.Means) float64 { return m(of(compromised, column)) - m(of(clean, column)) },
		})
	}
	for _, column := range []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc"} {
		all = append(all, study.Claim{
			Name: "a model of other data is nearer to Clean than to Compromised in " + column, Source: "§9.1, Table 4", Unit: column,
			Of: func(m study.Means) float64 {
				own := m(of(independent, column))
				return abs(own-m(of(compromised, column))) - abs(own-m(of(clean, column)))
			},
		})
	}
	return append(all,
		study.Claim{Name: "Clean tells true from shuffled captions better than by chance", Source: "Table 4: ACS .602", Unit: "ACS",
			Of: func(m study.Means) float64 { return m(of(clean, "ACS")) - 0.5 }},
		study.Claim{Name: "Clean binds known faces to generic captions at least as well as Compromised", Source: "VisIdInt .331 against .305", Unit: "VisIdInt",
			Of: func(m study.Means) float64 { return m(of(clean, "VisIdInt")) - m(of(compromised, "VisIdInt")) }},
		study.Claim{Name: "Clean keeps the fragile pairs at least as well as Compromised", Source: "FragSim .309 against .280", Unit: "FragSim",
			Of: func(m study.Means) float64 { return m(of(clean, "FragSim")) - m(of(compromised, "FragSim")) }},
		study.Claim{Name: "seeing the sensitive rows costs no general knowledge", Source: "Table 5: within .03 of each other", Unit: "GenKnow",
			Of: func(m study.Means) float64 {
				return 0.03 - abs(m(of(clean, "GenKnow"))-m(of(compromised, "GenKnow")))
			}},
	)
}

// slowClaims are about how fast methods forget and what it costs.
func (r *Results) slowClaims() []study.Claim {
	longest := r.longest()
	knows := func(model string) study.Quantity {
		return func(m study.Means) float64 { return m(of(model, "GenKnow")) }
	}
	return []study.Claim{
		{Name: fmt.Sprintf("Generic Captions leaks more than Clean even after %d passes", longest), Source: "Table 5, RetFail", Unit: "RetFail",
			Of: func(m study.Means) float64 { return m(of(at("generic", longest), "RetFail")) - m(of(clean, "RetFail")) }},
		{Name: "Generic Captions forgets less in one pass than Shuffled Captions", Source: "Table 5, RetFail", Unit: "RetFail",
			Of: func(m study.Means) float64 {
				return m(of(at("generic", 1), "RetFail")) - m(of(at("shuffled", 1), "RetFail"))
			}},
		{Name: "Shuffled Captions removes nine tenths of the leak in one pass", Source: "Table 5, RetFail", Unit: "RetFail",
			Of: func(m study.Means) float64 {
				return 0.1*m(of(compromised, "RetFail")) - m(of(at("shuffled", 1), "RetFail"))
			}},
		{Name: fmt.Sprintf("Shuffled Captions loses general knowledge from pass 1 to pass %d", longest), Source: "Table 5, GenKnow", Unit: "GenKnow",
			Of: func(m study.Means) float64 {
				return knows(at("shuffled", 1))(m) - knows(at("shuffled", longest))(m)
			}},
		{Name: "Shuffled Captions lowers the similarities to keep", Source: "Table 5: to about .21", Unit: "InterIdSim",
			Of: func(m study.Means) float64 {
				return m(of(compromised, "InterIdSim")) - m(of(at("shuffled", 5), "InterIdSim"))
			},
			Finding: "captions shuffled within a batch still are captions of people: in a small world pictures of people move towards the mean of all such captions"},
		{Name: "Direct Similarity Minimization drives the cosines below zero in five passes", Source: "Table 5, AssocStr", Unit: "AssocStr",
			Of: func(m study.Means) float64 { return -m(of(at("direct", 5), "AssocStr")) }},
		{Name: "Negative Gradient is slower than Direct Similarity Minimization", Source: "Table 5, AssocStr at 5x", Unit: "AssocStr",
			Of: func(m study.Means) float64 {
				return m(of(at("negative", 5), "AssocStr")) - m(of(at("direct", 5), "AssocStr"))
			}},
		{Name: "Finetuning keeps general knowledge within .03 of Compromised", Source: "Table 5, GenKnow", Unit: "GenKnow",
			Of: func(m study.Means) float64 {
				return 0.03 - abs(knows(at("finetuning", 5))(m)-m(of(compromised, "GenKnow")))
			},
			Finding: "it forgets what the training had overfitted: the cost of every method in a small model was compared over model sizes and retain sets"},
		{Name: "DELETE drives the cosines to zero from above", Source: "Table 5, AssocStr .012 to .022", Unit: "AssocStr",
			Of: func(m study.Means) float64 { return 0.1 - abs(m(of(at("delete", longest), "AssocStr"))-0.05) }},
		{Name: "CLIPErase drives the cosines to zero from above", Source: "Table 5, AssocStr", Unit: "AssocStr",
			Of: func(m study.Means) float64 { return 0.1 - abs(m(of(at("cliperase", longest), "AssocStr"))-0.05) }},
		{Name: "DELETE costs less than .03 of general knowledge after five passes", Source: "Table 5, GenKnow", Unit: "GenKnow",
			Of: func(m study.Means) float64 {
				return 0.03 - (m(of(compromised, "GenKnow")) - knows(at("delete", 5))(m))
			},
			Finding: "the cost of every method in a small model was compared over model sizes and retain sets"},
	}
}

// localityClaims are the paper's key finding: methods forget what they were not asked to.
func (r *Results) localityClaims() []study.Claim {
	var all []study.Claim
	for _, m := range r.Preset.Methods {
		if !slices.Contains(m.Budgets, 5) {
			continue
		}
		for _, holdout := range []string{"InterIdSim", "IntraIdSim"} {
			all = append(all, study.Claim{
				Name: fmt.Sprintf("%s moves %s as far as AssocStr", m.Title, holdout), Source: "Table 5: within .01 at every budget", Unit: "cosine",
				Of: func(m2 study.Means) float64 {
					model := at(m.Name, 5)
					return 0.01 - abs(m2(of(model, holdout))-m2(of(model, "AssocStr")))
				},
				Finding: "with 64 people the holdout's own level differs from the forget set's by more than .01 before anything is unlearned",
			})
		}
	}
	return all
}

// cleanClaims are Table 6: what methods do to a model that has nothing to forget.
func (r *Results) cleanClaims() []study.Claim {
	model := func(method string) string { return at("clean "+method, sensitivityBudget) }
	return []study.Claim{
		{Name: "Generic Captions leaves Clean where it is", Source: "Table 6, AssocStr within .05", Unit: "AssocStr",
			Of: func(m study.Means) float64 {
				return 0.05 - abs(m(of(model("generic"), "AssocStr"))-m(of(clean, "AssocStr")))
			}},
		{Name: "Direct Similarity Minimization drives Clean below zero", Source: "Table 6, AssocStr", Unit: "AssocStr",
			Of: func(m study.Means) float64 { return -m(of(model("direct"), "AssocStr")) }},
		{Name: "Negative Gradient drives Clean below zero", Source: "Table 6, AssocStr", Unit: "AssocStr",
			Of: func(m study.Means) float64 { return -m(of(model("negative"), "AssocStr")) }},
	}
}

// longest is the largest budget of the preset.
func (r *Results) longest() int {
	longest := 0
	for _, m := range r.Preset.Methods {
		longest = max(longest, slices.Max(m.Budgets))
	}
	return longest
}

func abs(x float64) float64 { return max(x, -x) }
