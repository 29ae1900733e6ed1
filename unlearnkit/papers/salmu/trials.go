package salmu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Trial runs methods from the study's own models with other settings or on other rows. Unlike a [Variant], it trains no
// model.
type Trial struct {
	Title   string
	Worlds  int          // number of the study's worlds that are used, from the first on
	World   persona.Spec // rows that methods use and that are judged; pictures and captions are the study's
	Factor  float64      // factor on the study's rates in a price trial; otherwise 0
	Methods []Method
}

// Titles of the trials.
const (
	factsTrial = "split by facts"
	toldTrial  = "split by facts, methods"
	noiseTrial = "noise for the rows of the world"
	meansTrial = "means of pairs"
)

// unseenPortraits is the number of portraits of each style, of people never seen by a model. They are judged in the
// worlds that are split by facts.
const unseenPortraits = 100

// trials returns the trials of a preset with five worlds.
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
	longest := len(all) - 1 // this trial comes last
	return slices.Insert(all, longest, Trial{Title: toldTrial, Worlds: p.Worlds, World: byFact,
		Methods: []Method{named(own, "direct"), named(own, "delete")}},
		Trial{Title: meansTrial, Worlds: p.Worlds, World: p.World,
			Methods: []Method{named(own, "vlunlearn").with("retrieval", 0)}})
}

// place returns the index of the method with a name.
func place(all []Method, name string) int {
	return slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
}

// named returns the method with a name.
func named(all []Method, name string) Method { return all[place(all, name)] }

// trialAt returns the index of the trial with a title.
func (p Preset) trialAt(title string) int {
	return slices.IndexFunc(p.Trials, func(t Trial) bool { return t.Title == title })
}

// with returns the method with another value of a setting.
func (m Method) with(setting string, value float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values[setting] = value
	return m
}

// trial plans the runs of a trial and returns them by world.
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

// corpus returns the rows of the trial in a world.
func (t Trial) corpus(number int) Corpus {
	spec := t.World
	spec.Seed = uint64(number)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// readTrial reads the scores of a trial. It reuses the study's scores of base models if both have them. It returns nil
// if a run of the trial is not made.
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

// trialOf returns the scores of the trial with a title. If the preset lacks the trial, the error explains how to get
// it.
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
