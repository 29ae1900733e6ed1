package salmu

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// levels maps columns to the values of one model.
type levels map[string]float64

// examples returns scores of a small data set without outcomes. People 0 to 2 are forgotten entirely, 3 to 6 in part; 7
// to 9 are holdouts.
func examples() Scores {
	var scores Scores
	add := func(split string, count int, identity func(i int) int) {
		for i := range count {
			scores = append(scores, NewScore(fmt.Sprintf("%s-%d", split, i), split, identity(i)))
		}
	}
	add(string(persona.ForgetIdentity), 12, func(i int) int { return i % 3 })
	add(string(persona.HoldoutAssociation), 12, func(i int) int { return 3 + i%4 })
	add(string(persona.ForgetAssociation), 12, func(i int) int { return 3 + i%4 })
	add(string(persona.HoldoutIdentity), 9, func(i int) int { return 7 + i%3 })
	add(string(persona.RetainJoint), 10, func(i int) int { return i })
	add(string(persona.RetainDisjoint), 45, func(i int) int { return 20 + i })
	add(Objects, 20, func(i int) int { return i % 5 })
	return scores
}

// portraits returns artificial scores for the domain gap, with ten portraits of each style.
func portraits() Scores {
	var scores Scores
	for i := range 20 {
		split := []string{GapReal, GapGenerated}[i%2]
		s := NewScore(fmt.Sprintf("%s-%d", split, i), split, i)
		s.Cosine = 0.2
		scores = append(scores, s)
	}
	return scores
}

// level returns scores for which every column has exactly the given value.
func level(l levels) Scores {
	scores := examples()
	forget := 0
	for i := range scores {
		s := &scores[i]
		switch s.Split {
		case string(persona.ForgetIdentity), string(persona.ForgetAssociation):
			s.Cosine, s.Rank, s.Core = l["AssocStr"], 1/l["RetFail"], l["CoreAssoc"]
			if forget++; forget%2 == 0 {
				s.True = l["ACS"]
			} else {
				s.False = l["ACS"]
			}
			if s.Split == string(persona.ForgetIdentity) {
				s.Right = l["IdZSC"]
			}
		case string(persona.HoldoutIdentity):
			s.Cosine = l["InterIdSim"]
		case string(persona.HoldoutAssociation):
			s.Cosine = l["IntraIdSim"]
		case string(persona.RetainJoint):
			s.Cosine = l["VisIdInt"]
		case string(persona.RetainDisjoint):
			s.Cosine = 2
			if s.Identity%10 == 3 {
				s.Cosine = l["FragSim"] // these are more than a tenth of the pictures and have the lowest cosines
			}
		case Objects:
			s.Right = l["GenKnow"]
		}
	}
	return scores
}

// measured returns pointers to the outcomes of a score.
func (s *Score) measured() []*float64 {
	return []*float64{&s.Cosine, &s.Rank, &s.Core, &s.True, &s.False, &s.Right}
}

// evaluated returns the evaluation of a model for which every column has the given value.
func evaluated(l levels) *study.Evaluation { return level(l).Evaluation() }

// chosenBy returns the references of a world in which the Compromised model has the given scores.
func chosenBy(scores Scores) study.References {
	return study.References{compromised: scores.Evaluation()}
}

// shaken returns the scores with noise added to every outcome.
func (s Scores) shaken(random *rand.Rand, by float64) Scores {
	shaken := append(Scores(nil), s...)
	for i := range shaken {
		for _, value := range shaken[i].measured() {
			*value += by * random.NormFloat64()
		}
	}
	return shaken
}

// printedLevels returns the paper's values by model. The keys are the panel's names of the models.
func printedLevels(t *testing.T) map[string]levels {
	t.Helper()
	models := map[string]levels{clean: {}, compromised: {}, independent: {}}
	set := func(model, column, value string) {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		if models[model] == nil {
			models[model] = levels{}
		}
		models[model][column] = number
	}
	names := map[string]string{"Clean": clean, "Compromised": compromised, "LAION-400M": independent,
		"Clean (Reference)": clean}
	for _, m := range Mini().Methods {
		for _, budget := range m.Budgets {
			names[rowName(m, budget)] = nameOf(m.Name, budget)
		}
	}
	for _, item := range []string{"table4", "table5", "table6"} {
		cells, err := papers.Open("salmu", item)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			row := c.Row
			if row == "Direct Sim. Min./5x" {
				row = "Direct Similarity Minimization/5x"
			}
			switch model := names[row]; {
			case row == "Target Scores":
				if _, known := models[compromised][c.Column]; !known {
					set(compromised, c.Column, c.Value) // where Table 4 has no value, the target is Compromised
				}
			case model == "":
				t.Fatalf("%s: no row %q", item, row)
			case item == "table6" && model != clean:
				set("clean "+model, c.Column, c.Value)
			default:
				set(model, c.Column, c.Value)
			}
		}
	}
	return models
}

// empty returns results of a preset in some worlds, without any scores.
func empty(p Preset, worlds int) *Results {
	planned, r := p, &Results{Preset: p}
	planned.Worlds = worlds
	var numbers []int
	for w := range worlds {
		numbers = append(numbers, w)
	}
	r.set = study.NewSet(NewPlan(planned).Scores, layout, nil, numbers...)
	return r
}

// printedResults returns results in which all worlds have the paper's values plus a little noise.
func printedResults(t *testing.T, p Preset, worlds int, noise float64) *Results {
	t.Helper()
	models, r := printedLevels(t), empty(p, worlds)
	for w := range worlds {
		put := func(model string, labels ...study.Label) {
			if models[model] == nil {
				t.Fatalf("the paper has no %q", model)
			}
			r.set.Put(level(models[model]).shaken(seed.Stream(1, w, model), noise).Evaluation(), w, labels...)
		}
		for _, model := range layout.References {
			put(model, named(model)...)
		}
		r.putPortraits(w, clean, portraits().shaken(seed.Stream(2, w), noise))
		r.putPortraits(w, compromised, portraits().shaken(seed.Stream(3, w), noise))
		for _, m := range p.Methods {
			for _, b := range m.Budgets {
				put(nameOf(m.Name, b), m.judged(ofMethods, b)...)
			}
		}
		for _, m := range p.Clean {
			put("clean "+nameOf(m.Name, 5), m.judged(ofClean, 5)...)
		}
		for _, m := range p.Rates {
			put(nameOf(m.Name, 5), m.judged(ofRates, 5)...)
		}
	}
	return r
}

// putPortraits replaces the scores of portraits of a base model.
func (r *Results) putPortraits(world int, model string, scores Scores, of ...study.Label) {
	r.set.Put(scores.Evaluation(), world, portraitsOf(model, of...)...)
}

// after returns the scores of a method of Table 5 in a world.
func (r *Results) after(world int, method string, budget int) *study.Evaluation {
	return r.set.Find(world, partKey.Is(ofMethods), methodKey.Is(method), budgetKey.Is(budget))
}

// putAfter replaces the scores of a method of Table 5 in a world. The method diverged if they are nil.
func (r *Results) putAfter(scores *study.Evaluation, world int, method string, budget int) {
	r.set.Put(scores, world, partKey.Is(ofMethods), methodKey.Is(method), budgetKey.Is(budget))
}
