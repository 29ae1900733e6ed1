package salmu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Trial runs methods from the study's own models otherwise than the study does: with other settings, or told other rows.
// Unlike a [Variant] it trains no model.
type Trial struct {
	Title   string
	Worlds  int          // the first so many of the study's
	World   persona.Spec // whose rows are told and judged; its pictures and captions are those of the study's
	Factor  float64      // on the rates of the study, in a trial of what lower rates cost; else 0
	Methods []Method
}

// The trials, by their titles.
const (
	factsTrial = "split by facts"
	noiseTrial = "noise for the paper's rows"
	meansTrial = "means of pairs"
)

// unseenPortraits is how many portraits of either style, of people whom no model has seen, are judged in the worlds
// that are split by facts.
const unseenPortraits = 100

// trials are those of a preset of five worlds, from what bears on most to what bears on least.
func trials(p Preset) []Trial {
	byFact := p.World
	byFact.ByAttribute, byFact.Unseen = true, unseenPortraits
	own := methods(variantBudget)
	after := func(budget int, names ...string) (chosen []Method) {
		for _, name := range names {
			m := named(own, name)
			m.Budgets = []int{budget}
			chosen = append(chosen, m)
		}
		return chosen
	}
	return append([]Trial{
		{Title: noiseTrial, Worlds: p.Worlds, World: p.World, Methods: after(1, "descent-to-delete")},
		{Title: factsTrial, Worlds: p.Worlds, World: byFact, Methods: after(variantBudget, "generic", "direct", "delete")},
		{Title: meansTrial, Worlds: p.Worlds, World: p.World,
			Methods: []Method{after(variantBudget, "vlunlearn")[0].with("retrieval", 0)}},
	}, prices(p)...)
}

// named is the method of a name.
func named(all []Method, name string) Method {
	return all[slices.IndexFunc(all, func(m Method) bool { return m.Name == name })]
}

// with is the method with another value of a setting.
func (m Method) with(setting string, value float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values[setting] = value
	return m
}

// trial are the runs of a trial, world by world.
func (p *Plan) trial(t Trial) (worlds []World) {
	for number := range min(t.Worlds, p.Preset.Worlds) {
		spec := t.World
		spec.Seed = uint64(number)
		corpus := Corpus{World: &spec, Revision: persona.Revision}
		title := func(what string) string { return fmt.Sprintf("%s, world %d: %s", t.Title, number, what) }
		clean, compromised, _ := p.models(number)
		w := World{Clean: p.judged(corpus, clean, title("Clean, scores")),
			Compromised: p.judged(corpus, compromised, title("Compromised, scores"))}
		for _, m := range t.Methods {
			w.Methods = append(w.Methods, p.unlearned(corpus, compromised, m, title(m.Title)))
		}
		worlds = append(worlds, w)
	}
	return worlds
}

// readTrial reads the scores of a trial; those of base models that the study has too are taken from there.
func (r *Results) readTrial(s *store.Store, p Preset, t Trial, runs []World) (worlds []WorldScores, err error) {
	for i, w := range runs {
		scores := WorldScores{runs: &w}
		if t.World == p.World {
			scores.Clean, scores.Compromised = r.Worlds[i].Clean, r.Worlds[i].Compromised
			for k, run := range w.Methods {
				budgets, err := readRun(s, run, t.Methods[k].Budgets, scores.Clean)
				if err != nil {
					return nil, err
				}
				scores.Methods = append(scores.Methods, budgets)
			}
		} else if scores, err = w.read(s, Preset{Methods: t.Methods}, func(string) bool { return true }); err != nil {
			return nil, err
		}
		worlds = append(worlds, scores)
	}
	return worlds, nil
}

// trialOf is a trial by its title with what came of it; absent where the preset has none of it.
func (r *Results) trialOf(title string) (t Trial, worlds []WorldScores, present bool) {
	at := slices.IndexFunc(r.Preset.Trials, func(t Trial) bool { return t.Title == title })
	if at < 0 || at >= len(r.Trials) {
		return t, nil, false
	}
	return r.Preset.Trials[at], r.Trials[at], true
}
