package concealment

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// base plans the training of an original, or without a judge of a gold model.
func (p *Plan) base(spec BaseSpec, title string, maker Maker) *study.Run {
	run := study.Run{
		Title: title, Stage: Base, Spec: spec, Cost: 100,
		Make: func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress study.Progress) error {
			var judge *store.Artifact
			if len(inputs) > 0 {
				judge = inputs[0]
			}
			return maker.Base(ctx, spec, judge, w, progress)
		},
	}
	if spec.Judge != "" {
		run.Needs = []*study.Run{p.judge}
	}
	return p.Add(run)
}

// model adds the look at a model.
func (p *Plan) model(title string, e concept.Erasure, run *study.Run, each int, maker Maker) Model {
	spec := SamplesSpec{Model: run.Key(), Judge: p.judge.Key(), Prompts: concept.GatePrompts(), Each: each,
		Sampling: p.Preset.Attack.Sampling}
	return Model{e, run, p.Add(study.Run{
		Title: title + ", a look at its pictures", Stage: Samples, Spec: spec, Needs: []*study.Run{run, p.judge},
		Cost: .3 * float64(each),
		Make: func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress study.Progress) error {
			return maker.Look(ctx, spec, inputs[0], inputs[1], w, progress)
		},
	})}
}

// pair plans what a method does to a concept: the tries at every rate, and the erased models of the setting that was
// chosen.
func (p *Plan) pair(m Method, e concept.Erasure, maker Maker) Pair {
	pair := Pair{Method: m, Erasure: e, Setting: m.setting(e.Paper)}
	title := func(what string, arguments ...any) string {
		return fmt.Sprintf("%s of %s, ", m.Title, e.Paper) + fmt.Sprintf(what, arguments...)
	}
	start := p.Original.Run
	erasing := func(rate float64, seed uint64) ErasureSpec {
		return ErasureSpec{Start: start.Key(), Erasure: e, Method: m.Name, Version: m.Version, Values: m.at(rate),
			Alone: m.Alone, Seed: seed}
	}
	if t := p.Preset.Tries; t.Forget > 0 {
		for _, rate := range m.Rates {
			spec := TuningSpec{ErasureSpec: erasing(rate, t.Seed), Judge: p.judge.Key(), Budgets: m.Budgets,
				Forget: t.Forget, Retain: t.Retain, Sampling: p.Preset.Attack.Sampling}
			pair.Tuning = append(pair.Tuning, p.Add(study.Run{
				Title: title("tried at rate %g", rate), Stage: Tuning, Spec: spec, Needs: []*study.Run{start, p.judge},
				Cost: 1 + .5*float64(m.Budgets[len(m.Budgets)-1]),
				Make: func(ctx context.Context, w *store.Work, inputs []*store.Artifact,
					progress study.Progress) error {
					return maker.Tune(ctx, spec, inputs[0], inputs[1], w, progress)
				},
			}))
		}
	}
	for seed := range p.Preset.Seeds {
		spec := ErasedSpec{ErasureSpec: erasing(pair.Setting.Rate, uint64(seed)), Budget: pair.Setting.Budget}
		run := p.Add(study.Run{
			Title: title("seed %d", seed), Stage: Erased, Spec: spec, Needs: []*study.Run{start},
			Cost: .5 * float64(spec.Budget),
			Make: func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress study.Progress) error {
				return maker.Erase(ctx, spec, inputs[0], w, progress)
			},
		})
		pair.Models = append(pair.Models, p.model(title("seed %d", seed), e, run, p.Preset.Each, maker))
	}
	return pair
}

// attacks plans the attacks with one prompt. Pictures to look at are kept of the first training seed and of gold.
func (p *Plan) attacks(prompt concept.PaperPrompt, maker Maker) Attacks {
	a := Attacks{Prompt: prompt, Erasure: erasure(prompt.Erased)}
	a.Gold = p.attack(prompt.Prompt, p.gold(a.Erasure).Run, true,
		fmt.Sprintf("attack with %q on gold without %s", prompt.Paper, prompt.Erased), maker)
	if pair := p.pairOf(prompt.Method, prompt.Erased); pair != nil {
		for seed, model := range pair.Models {
			title := fmt.Sprintf("attack with %q on %s, seed %d", prompt.Paper, prompt.Method, seed)
			a.Unlearned = append(a.Unlearned, p.attack(prompt.Prompt, model.Run, seed == 0, title, maker))
		}
	}
	return a
}

func (p *Plan) attack(prompt string, other *study.Run, sheet bool, title string, maker Maker) *study.Run {
	spec := p.Preset.Attack
	spec.Original, spec.Other, spec.Judge, spec.Prompt, spec.Sheet = p.Original.Run.Key(), other.Key(), p.judge.Key(),
		prompt, sheet
	return p.Add(study.Run{
		Title: title, Stage: Attack, Spec: spec, Needs: []*study.Run{p.Original.Run, other, p.judge}, Cost: 6,
		Make: func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress study.Progress) error {
			return maker.Attack(ctx, spec, inputs[0], inputs[1], inputs[2], w, progress)
		},
	})
}
