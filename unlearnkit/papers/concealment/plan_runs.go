package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// base plans the training of an original or a gold model.
func (p *Plan) base(spec BaseSpec, title string) *study.Run {
	return Base.Add(&p.Plan, title, 100, spec)
}

// planRepeats plans an original or gold model for every further training seed, if each seed has its own. Pictures are
// not judged during their training.
func (p *Plan) planRepeats(m *Model, title string, spec BaseSpec, each int) {
	if !p.Preset.Originals {
		return
	}
	spec.Looks, spec.Each, spec.Sampling, spec.Judge = nil, 0, Sampling{}, ""
	for training := 1; training < p.Preset.Seeds; training++ {
		spec.Seed = p.Preset.seed(training)
		title := fmt.Sprintf("%s, seed %d", title, spec.Seed)
		m.Again = append(m.Again, p.model(title, m.Erasure, p.base(spec, title+", training"), each))
	}
}

// model plans the run that judges a model's pictures for the gate's prompts. It returns the run together with the run
// that trains the model.
func (p *Plan) model(title string, e concept.Erasure, run *study.Run, each int) Model {
	sampling := p.Preset.Attack.Sampling
	if p.Preset.Look != nil {
		sampling = *p.Preset.Look
	}
	return Model{Erasure: e, Run: run, Look: Samples.Add(&p.Plan, title+", a look at its pictures", .3*float64(each),
		SamplesSpec{Model: run.Input(), Judge: p.judge.Input(), Prompts: concept.GatePrompts(), Each: each,
			Sampling: sampling})}
}

// pair plans the runs of a method on a concept: tuning at every rate, and erased models at the chosen setting.
func (p *Plan) pair(m Method, e concept.Erasure) Pair {
	if len(m.Budgets) == 0 || len(m.Rates) == 0 {
		p.Refuse(fmt.Errorf("the method %s has no budgets or no rates: give training steps, as in Budgets: "+
			"[]int{50}, and a rate, as in Rates: []float64{1e-4}", m.Name))
		m.Budgets, m.Rates = append(m.Budgets, 1), append(m.Rates, 1)
	}
	pair := Pair{Method: m, Erasure: e, Setting: m.setting(e.Paper)}
	title := func(what string, arguments ...any) string {
		return fmt.Sprintf("%s of %s, ", m.Title, e.Paper) + fmt.Sprintf(what, arguments...)
	}
	erasing := func(start *study.Run, rate float64, seed uint64) ErasureSpec {
		return ErasureSpec{Start: start.Input(), Erasure: e, Method: m.Name, Version: m.Version, Values: m.settingsAt(rate),
			Alone: m.Alone, Seed: seed}
	}
	if t := p.Preset.Tries; t.Forget > 0 {
		for _, rate := range m.Rates {
			cost := 1 + .5*float64(m.Budgets[len(m.Budgets)-1])
			pair.Tuning = append(pair.Tuning, Tuning.Add(&p.Plan, title("tried at rate %g", rate), cost, TuningSpec{
				ErasureSpec: erasing(p.Original.Run, rate, t.Seed), Judge: p.judge.Input(), Budgets: m.Budgets,
				Forget: t.Forget, Retain: t.Retain, Sampling: p.Preset.Attack.Sampling,
			}))
		}
	}
	if _, chosen := m.chosen(e.Paper); p.Preset.Waits && !chosen {
		return pair
	}
	for training := range p.Preset.Seeds {
		seed := p.Preset.seed(training)
		spec := ErasedSpec{ErasureSpec: erasing(p.Original.ofTraining(training).Run, pair.Setting.Rate, seed),
			Budget: pair.Setting.Budget}
		run := Erased.Add(&p.Plan, title("seed %d", seed), .5*float64(spec.Budget), spec)
		pair.Models = append(pair.Models, p.model(title("seed %d", seed), e, run, p.Preset.Each))
	}
	return pair
}

// attacks plans the attacks with one prompt. Sheets of pictures are stored for gold and for the first training seed.
func (p *Plan) attacks(prompt concept.PaperPrompt) Attacks {
	a := Attacks{Prompt: prompt, Erasure: erasure(prompt.Erased)}
	gold := p.gold(a.Erasure)
	title := fmt.Sprintf("attack with %q on gold without %s", prompt.Paper, prompt.Erased)
	a.Gold = p.attack(prompt.Prompt, p.Original, gold, true, title)
	for i, again := range gold.Again {
		a.Golds = append(a.Golds, p.attack(prompt.Prompt, p.Original.ofTraining(i+1), again, false,
			fmt.Sprintf("%s, seed %d", title, p.Preset.seed(i+1))))
	}
	if pair := p.pairOf(prompt.Method, prompt.Erased); pair != nil {
		for training, model := range pair.Models {
			title := fmt.Sprintf("attack with %q on %s, seed %d", prompt.Paper, prompt.Method, p.Preset.seed(training))
			a.Unlearned = append(a.Unlearned, p.attack(prompt.Prompt, p.Original.ofTraining(training), model, training == 0,
				title))
		}
	}
	return a
}

func (p *Plan) attack(prompt string, original, other Model, sheet bool, title string) *study.Run {
	spec := p.Preset.Attack
	spec.Original, spec.Other, spec.Judge = original.Run.Input(), other.Run.Input(), p.judge.Input()
	spec.Prompt, spec.Sheet = prompt, sheet
	return Attack.Add(&p.Plan, title, 6, spec)
}
