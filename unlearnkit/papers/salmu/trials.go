package salmu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Trial runs methods from the study's own models otherwise than the study does: with other settings, or told other
// rows. Unlike a [Variant] it trains no model.
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
	toldTrial  = "split by facts, methods"
	noiseTrial = "noise for the rows of the world"
	meansTrial = "means of pairs"
)

// unseenPortraits is how many portraits of either style, of people whom no model has seen, are judged in the worlds
// that are split by facts.
const unseenPortraits = 100

// trials are those of a preset of five worlds.
func trials(p Preset) []Trial {
	byFact := p.World
	byFact.ByAttribute, byFact.Unseen = true, unseenPortraits
	own := methods(variantBudget)
	all := []Trial{
		{Title: noiseTrial, Worlds: p.Worlds, World: p.World, Methods: []Method{
			named(own, "descent-to-delete").with("examples", p.learntRows())}},
		{Title: factsTrial, Worlds: p.Worlds, World: byFact},
	}
	all = append(all, prices(p)...)
	longest := len(all) - 1 // comes last
	return slices.Insert(all, longest, Trial{Title: toldTrial, Worlds: p.Worlds, World: byFact,
		Methods: []Method{named(own, "direct"), named(own, "delete")}},
		Trial{Title: meansTrial, Worlds: p.Worlds, World: p.World,
			Methods: []Method{named(own, "vlunlearn").with("retrieval", 0)}})
}

// place is where the method of a name stands.
func place(all []Method, name string) int {
	return slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
}

// named is the method of a name.
func named(all []Method, name string) Method { return all[place(all, name)] }

// trialAt is where the trial of a title stands.
func (p Preset) trialAt(title string) int {
	return slices.IndexFunc(p.Trials, func(t Trial) bool { return t.Title == title })
}

// with is the method with another value of a setting.
func (m Method) with(setting string, value float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values[setting] = value
	return m
}

// trial are the runs of a trial, world by world.
func (p *Plan) trial(t Trial) []World {
	worlds := make([]World, min(t.Worlds, p.Preset.Worlds))
	for number := range worlds {
		in := setting{corpus: t.corpus(number), prefix: fmt.Sprintf("%s, world %d: ", t.Title, number),
			labels: study.Labels{trialLabel: t.Title}}
		models := p.models(number)
		w := World{Clean: p.judged(in, clean, models), Compromised: p.judged(in, compromised, models)}
		for _, m := range t.Methods {
			w.Methods = append(w.Methods, p.unlearned(in, compromised, models, m, m.Title))
		}
		worlds[number] = w
	}
	return worlds
}

// corpus is the rows of the trial in a world.
func (t Trial) corpus(number int) Corpus {
	spec := t.World
	spec.Seed = uint64(number)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// readTrial reads the scores of a trial; those of base models that the study has too are taken from there. It reads
// none where a run of the trial is not made.
func (r *Results) readTrial(s *store.Store, p *Plan, number int) (worlds []WorldScores, err error) {
	t := p.Preset.Trials[number]
	for i, w := range p.Trials[number] {
		if missing, err := p.Missing(s, w.own()...); err != nil || len(missing) > 0 {
			return nil, err
		}
		scores := WorldScores{Clean: r.Worlds[i].Clean, Compromised: r.Worlds[i].Compromised}
		if t.World != p.Preset.World {
			bases := World{Clean: w.Clean, Compromised: w.Compromised}
			if scores, err = bases.read(s, Preset{}, i, func(string) bool { return true }); err != nil {
				return nil, err
			}
		}
		for k, run := range w.Methods {
			budgets, err := readRun(s, run, t.Methods[k].Budgets, i, scores.Clean)
			if err != nil {
				return nil, err
			}
			scores.Methods = append(scores.Methods, budgets)
		}
		worlds = append(worlds, scores)
	}
	return worlds, nil
}

// trialOf are the scores of a trial by its title; the error says of a preset that lacks it what to do.
func (r *Results) trialOf(title string) ([]WorldScores, error) {
	at := r.Preset.trialAt(title)
	if at < 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "tries nothing beside the paper's: mini does"}
	}
	if at >= len(r.Trials) || len(r.Trials[at]) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: fmt.Sprintf("lacks runs of the trial %q: "+
			"unlearnlab run salmu --preset %s makes them", title, r.Preset.Name)}
	}
	return r.Trials[at], nil
}
