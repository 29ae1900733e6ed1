package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// finish determines the prompt that completing models get instead of the attack's prompt.
type finish struct {
	Name string // name in tables
	of   func(prompt string, e concept.Erasure) string
}

// finishes lists the prompts that completing models get instead of the attack's prompt.
var finishes = []finish{
	{"without the word", func(prompt string, e concept.Erasure) string { return e.Unsaid(prompt) }},
	{"empty", func(string, concept.Erasure) string { return "" }},
}

// control plans the controls of a concept. The gold models that can change the most verdicts are planned first.
func (p *Plan) control(c Controls, e concept.Erasure) {
	base := BaseSpec{World: p.Preset.Base.World, Network: p.Preset.Base.Network, Training: p.Preset.Base.Training,
		Seed: p.Preset.Base.Seed}
	base.World.Without = e.Concept
	read := base
	read.World.Said = concept.OfAnything
	gold := p.otherGold(e, read, "its word is said of anything")
	if c.Finishes {
		p.finishes(e, gold)
	}
	for i := range c.Golds {
		again := base
		again.Seed += uint64(i + 1)
		p.otherGold(e, again, "another training")
	}
}

func (p *Plan) otherGold(e concept.Erasure, spec BaseSpec, name string) otherGold {
	title := fmt.Sprintf("gold without %s, %s, seed %d", e.Paper, name, spec.Seed)
	gold := otherGold{Model: p.model(title, e, p.base(spec, title+", training"), p.Preset.Each), Name: name,
		Said: spec.World.Said, seed: spec.Seed}
	control := fmt.Sprintf("%s, seed %d", name, spec.Seed)
	gold.Run.Label(controlLabel, control)
	gold.Look.Label(controlLabel, control)
	for _, prompt := range p.forgetting(e) {
		gold.Attacked = append(gold.Attacked, controlAttack{prompt,
			p.controlAttack(control, prompt.Prompt, nil, gold.Run,
				fmt.Sprintf("attack with %q on %s", prompt.Paper, title))})
	}
	p.controls.Golds = append(p.controls.Golds, gold)
	return gold
}

// finishes plans attacks that replace the completing model's prompt, on a gold model and on all models of the methods.
// If the prompt is empty without the concept's word, both finishes are the same and are planned only once.
func (p *Plan) finishes(e concept.Erasure, gold otherGold) {
	for _, prompt := range p.forgetting(e) {
		met := map[string]bool{}
		for _, f := range finishes {
			told := f.of(prompt.Prompt, e)
			if met[told] {
				continue
			}
			met[told] = true
			control := fmt.Sprintf("finished with %q", told)
			title := func(by string) string {
				return fmt.Sprintf("attack with %q on %s, finished with %q", prompt.Paper, by, told)
			}
			all := finished{Finish: f.Name, Told: told, Prompt: prompt,
				Gold: p.controlAttack(control, prompt.Prompt, &told, gold.Run, title("gold without "+e.Paper))}
			if told == "" {
				all.Finish = "empty"
			}
			for seed, model := range p.pairOf(prompt.Method, e.Paper).Models {
				all.Unlearned = append(all.Unlearned, p.controlAttack(control, prompt.Prompt, &told, model.Run,
					title(fmt.Sprintf("%s, seed %d", prompt.Method, seed))))
			}
			p.controls.Finished = append(p.controls.Finished, all)
		}
	}
}

// forgetting returns the prompts that ask for a concept and attack a method of the preset. It leaves out methods that
// break the model.
func (p *Plan) forgetting(e concept.Erasure) []concept.PaperPrompt {
	return slices.DeleteFunc(slices.Clone(p.Preset.Prompts), func(prompt concept.PaperPrompt) bool {
		return prompt.Erased != e.Paper || !prompt.Forget || p.pairOf(prompt.Method, e.Paper) == nil ||
			slices.Contains(p.Preset.Controls.Except, prompt.Method)
	})
}

// controlAttack plans an attack that is read only for the judge's labels. Its classifiers are therefore trained for
// only one epoch.
func (p *Plan) controlAttack(control, prompt string, told *string, other *study.Run, title string) *study.Run {
	spec := p.Preset.Attack
	spec.Original, spec.Other, spec.Judge = p.Original.Run.Input(), other.Input(), p.judge.Input()
	spec.Prompt, spec.Finish = prompt, told
	spec.Fit.Epochs, spec.Fit.Subsets = 1, 1
	return Attack.AddAs(study.Labels{controlLabel: control}, &p.Plan, title, 3, spec)
}

// controlLabel labels the runs of a control. The run that judges a gold model's pictures has the same label as the
// attacks on that model.
const controlLabel = "control"

// moves plans runs that measure how far the weights of all erased models have moved from the original's.
func (p *Plan) moves() {
	for _, pair := range p.Pairs {
		m := pairMoves{Title: pair.Method.Title + " of " + pair.Erasure.Paper,
			Of: selection{pair.Method.Title, pair.Erasure.Paper}}
		for seed, model := range pair.Models {
			title := fmt.Sprintf("%s, seed %d, how far it has moved", m.Title, seed)
			m.Runs = append(m.Runs, Moved.AddAs(study.Labels{controlLabel: "weights"}, &p.Plan, title, .1,
				MovedSpec{From: p.Original.Run.Input(), To: model.Run.Input()}))
		}
		p.controls.Moves = append(p.controls.Moves, m)
	}
}
