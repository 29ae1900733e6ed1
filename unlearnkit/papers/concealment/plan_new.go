package concealment

import (
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// NewPlan plans the runs of a preset.
func NewPlan(p Preset) *Plan {
	plan := &Plan{Preset: p, core: sync.OnceValue(p.core)}
	plan.judge = Judge.Add(&plan.Plan, "judge, training", 4, p.Judge)
	spec := p.Base
	spec.Judge = plan.judge.Input()
	plan.Original = plan.model("original", concept.Erasure{}, plan.base(spec, "original, training"), p.Gate)
	plan.planRepeats(&plan.Original, "original", spec, p.Gate)
	for _, output := range p.Outputs {
		other := spec
		other.Network.Output, other.Discarded = output, true
		plan.Others = append(plan.Others,
			plan.base(other, "original that puts out "+outputs[output]+", training"))
	}
	for _, e := range p.erasures() {
		spec := BaseSpec{World: p.Base.World, Network: p.Base.Network, Training: p.Base.Training, Seed: p.Base.Seed}
		spec.World.Without = e.Concept
		title := "gold without " + e.Paper
		gold := plan.model(title, e, plan.base(spec, title+", training"), p.Each)
		plan.planRepeats(&gold, title, spec, p.Each)
		plan.Golds = append(plan.Golds, gold)
	}
	for _, m := range p.Methods {
		for _, erased := range m.Erased {
			plan.Pairs = append(plan.Pairs, plan.pair(m, erasure(erased)))
		}
	}
	for _, prompt := range p.Prompts {
		if pair := plan.pairOf(prompt.Method, prompt.Erased); pair == nil || len(pair.Models) > 0 {
			plan.Attacked = append(plan.Attacked, plan.attacks(prompt))
		}
	}
	if p.Lessons {
		plan.lessons()
	}
	for _, paper := range p.Controls.Concepts {
		plan.control(p.Controls, erasure(paper))
	}
	if p.Controls.Moves {
		plan.moves()
	}
	if p.Controls.Judge != nil {
		plan.second(*p.Controls.Judge)
	}
	return plan
}
