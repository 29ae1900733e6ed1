package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// base plans the training of an original, or without a judge of a gold model.
func (p *Plan) base(spec BaseSpec, title string) *study.Run {
	return Base.Add(&p.Plan, title, 100, spec)
}

// model adds the look at a model.
func (p *Plan) model(title string, e concept.Erasure, run *study.Run, each int) Model {
	sampling := p.Preset.Attack.Sampling
	if p.Preset.Look != nil {
		sampling = *p.Preset.Look
	}
	return Model{e, run, Samples.Add(&p.Plan, title+", a look at its pictures", .3*float64(each), SamplesSpec{
		Model: run.Input(), Judge: p.judge.Input(), Prompts: concept.GatePrompts(), Each: each, Sampling: sampling,
	})}
}

// pair plans what a method does to a concept: the tries at every rate, and the erased models of the setting that was
// chosen.
func (p *Plan) pair(m Method, e concept.Erasure) Pair {
	if len(m.Budgets) == 0 || len(m.Rates) == 0 {
		p.Refuse(fmt.Errorf("the method %s has no budgets or no rates: give steps of training, as in "+
			"Budgets: []int{50}, and a rate, as in Rates: []float64{1e-4}", m.Name))
		m.Budgets, m.Rates = append(m.Budgets, 1), append(m.Rates, 1)
	}
	pair := Pair{Method: m, Erasure: e, Setting: m.setting(e.Paper)}
	title := func(what string, arguments ...any) string {
		return fmt.Sprintf("%s of %s, ", m.Title, e.Paper) + fmt.Sprintf(what, arguments...)
	}
	start := p.Original.Run
	erasing := func(rate float64, seed uint64) ErasureSpec {
		return ErasureSpec{Start: start.Input(), Erasure: e, Method: m.Name, Version: m.Version, Values: m.at(rate),
			Alone: m.Alone, Seed: seed}
	}
	if t := p.Preset.Tries; t.Forget > 0 {
		for _, rate := range m.Rates {
			cost := 1 + .5*float64(m.Budgets[len(m.Budgets)-1])
			pair.Tuning = append(pair.Tuning, Tuning.Add(&p.Plan, title("tried at rate %g", rate), cost, TuningSpec{
				ErasureSpec: erasing(rate, t.Seed), Judge: p.judge.Input(), Budgets: m.Budgets, Forget: t.Forget,
				Retain: t.Retain, Sampling: p.Preset.Attack.Sampling,
			}))
		}
	}
	if _, chosen := m.chosen(e.Paper); p.Preset.Waits && !chosen {
		return pair
	}
	for seed := range p.Preset.Seeds {
		spec := ErasedSpec{ErasureSpec: erasing(pair.Setting.Rate, uint64(seed)), Budget: pair.Setting.Budget}
		run := Erased.Add(&p.Plan, title("seed %d", seed), .5*float64(spec.Budget), spec)
		pair.Models = append(pair.Models, p.model(title("seed %d", seed), e, run, p.Preset.Each))
	}
	return pair
}

// attacks plans the attacks with one prompt. Pictures to look at are kept of the first training seed and of gold.
func (p *Plan) attacks(prompt concept.PaperPrompt) Attacks {
	a := Attacks{Prompt: prompt, Erasure: erasure(prompt.Erased)}
	a.Gold = p.attack(prompt.Prompt, p.gold(a.Erasure).Run, true,
		fmt.Sprintf("attack with %q on gold without %s", prompt.Paper, prompt.Erased))
	if pair := p.pairOf(prompt.Method, prompt.Erased); pair != nil {
		for seed, model := range pair.Models {
			title := fmt.Sprintf("attack with %q on %s, seed %d", prompt.Paper, prompt.Method, seed)
			a.Unlearned = append(a.Unlearned, p.attack(prompt.Prompt, model.Run, seed == 0, title))
		}
	}
	return a
}

func (p *Plan) attack(prompt string, other *study.Run, sheet bool, title string) *study.Run {
	spec := p.Preset.Attack
	spec.Original, spec.Other, spec.Judge = p.Original.Run.Input(), other.Input(), p.judge.Input()
	spec.Prompt, spec.Sheet = prompt, sheet
	return Attack.Add(&p.Plan, title, 6, spec)
}
