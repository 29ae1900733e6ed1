package salmu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Titles of the trials.
const (
	factsTrial = "split by facts"
	toldTrial  = "split by facts, methods"
	noiseTrial = "noise for the rows of the world"
	meansTrial = "means of pairs"
)

// unseenPortraits is the number of portraits of each style that show people no model was trained on. They are judged in
// the worlds that are divided by facts.
const unseenPortraits = 100

// place returns the index of the method called name.
func place(all []Method, name string) int {
	return slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
}

func called(all []Method, name string) Method { return all[place(all, name)] }

// trialAt returns the index of the trial called title.
func (p Preset) trialAt(title string) int {
	return slices.IndexFunc(p.Trials, func(t Trial) bool { return t.Title == title })
}

// with returns the method with a setting changed.
func (m Method) with(setting string, value float64) Method {
	m.Values = maps.Clone(m.Values)
	m.Values[setting] = value
	return m
}

// corpus returns the data of the trial in a world.
func (t Trial) corpus(number int) Corpus {
	spec := t.World
	spec.Seed = uint64(number)
	return Corpus{World: &spec, Revision: persona.Revision}
}

// trialOf returns the index of the trial called title. If its scores are missing, the error explains how to get them.
func (r *Results) trialOf(title string) (int, error) {
	at := r.Preset.trialAt(title)
	if at < 0 {
		return 0, &study.Lacks{Preset: r.Preset.Name, Why: "tries only the methods of the paper: mini tries others"}
	}
	if at >= len(r.trials) || !r.trials[at] {
		return 0, &study.Lacks{Preset: r.Preset.Name, Why: fmt.Sprintf("lacks runs of the trial %q: "+
			"unlearnlab run salmu --preset %s makes them", title, r.Preset.Name)}
	}
	return at, nil
}
