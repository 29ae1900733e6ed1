package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Controls configures a preset's control experiments. They test whether a verdict depends on the one gold model of a
// concept, or on the concept's word. Gold is trained again, gold learns the word in other contexts, and attacks are
// finished without the word.
type Controls struct {
	Concepts []string // the paper's names, the most doubtful first; for each, one gold model has read the word
	Golds    int      // additional gold models, trained like the study's own with other seeds
	Finishes bool     // also attack every method and concept with other prompts for the completing models
	Moves    bool     // measure how far each erased model has moved
	// Except lists titles of methods that break the model, so that no control can change their verdicts.
	Except []string
	Judge  *JudgeSpec // a second judge for the pictures that the study's attacks have stored
}

// finish is a prompt that the completing models get instead of the attack's.
type finish struct {
	Name string // shown to the user
	of   func(prompt string, e concept.Erasure) string
}

// finishes lists the prompts that the completing models get instead of the attack's.
var finishes = []finish{
	{"without the word", func(prompt string, e concept.Erasure) string { return e.Unsaid(prompt) }},
	{"empty", func(string, concept.Erasure) string { return "" }},
}

// OtherGold is an additional gold model of a concept, with attacks by the study's prompts that ask for the concept.
type OtherGold struct {
	Model
	Name     string // "another training", or a note that its word is used for anything
	Said     concept.Company
	Attacked []ControlAttack
	seed     uint64 // training seed
}

// ControlAttack is an attack with a prompt of the paper, finished with another prompt or by another gold model.
type ControlAttack struct {
	Prompt concept.PaperPrompt
	Run    *study.Run
}

// Finished holds the attacks on a method's models with one prompt, when the completing models get another prompt.
type Finished struct {
	Finish    string // name of the finish
	Told      string
	Prompt    concept.PaperPrompt
	Gold      *study.Run   // attack on the gold model that has read the word
	Unlearned []*study.Run // by training seed
}

// ControlRuns holds the runs of a preset's controls.
type ControlRuns struct {
	Golds    []OtherGold
	Finished []Finished
	Moves    []PairMoves
	Second   SecondLook
}

// PairMoves holds the runs that measure how far the models of a method and concept have moved, by training seed.
type PairMoves struct {
	Title string
	Of    selection
	Runs  []*study.Run
}

// control plans the controls of a concept. The most decisive gold models come first.
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

func (p *Plan) otherGold(e concept.Erasure, spec BaseSpec, name string) OtherGold {
	title := fmt.Sprintf("gold without %s, %s, seed %d", e.Paper, name, spec.Seed)
	gold := OtherGold{Model: p.model(title, e, p.base(spec, title+", training"), p.Preset.Each), Name: name,
		Said: spec.World.Said, seed: spec.Seed}
	control := fmt.Sprintf("%s, seed %d", name, spec.Seed)
	gold.Run.Label(controlLabel, control)
	gold.Look.Label(controlLabel, control)
	for _, prompt := range p.forgetting(e) {
		gold.Attacked = append(gold.Attacked, ControlAttack{prompt,
			p.controlAttack(control, prompt.Prompt, nil, gold.Run,
				fmt.Sprintf("attack with %q on %s", prompt.Paper, title))})
	}
	p.Controls.Golds = append(p.Controls.Golds, gold)
	return gold
}

// finishes plans the attacks with other finishing prompts, on a gold model and on all models of the methods. It plans
// a prompt only once if it is empty without the word.
func (p *Plan) finishes(e concept.Erasure, gold OtherGold) {
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
			all := Finished{Finish: f.Name, Told: told, Prompt: prompt,
				Gold: p.controlAttack(control, prompt.Prompt, &told, gold.Run, title("gold without "+e.Paper))}
			if told == "" {
				all.Finish = "empty"
			}
			for seed, model := range p.pairOf(prompt.Method, e.Paper).Models {
				all.Unlearned = append(all.Unlearned, p.controlAttack(control, prompt.Prompt, &told, model.Run,
					title(fmt.Sprintf("%s, seed %d", prompt.Method, seed))))
			}
			p.Controls.Finished = append(p.Controls.Finished, all)
		}
	}
}

// forgetting returns the prompts that ask for a concept that a method of the preset erases without breaking the
// model.
func (p *Plan) forgetting(e concept.Erasure) []concept.PaperPrompt {
	return slices.DeleteFunc(slices.Clone(p.Preset.Prompts), func(prompt concept.PaperPrompt) bool {
		return prompt.Erased != e.Paper || !prompt.Forget || p.pairOf(prompt.Method, e.Paper) == nil ||
			slices.Contains(p.Preset.Controls.Except, prompt.Method)
	})
}

// controlAttack plans an attack that is read only for the judge's labels. Its classifiers are trained only for one
// epoch.
func (p *Plan) controlAttack(control, prompt string, told *string, other *study.Run, title string) *study.Run {
	spec := p.Preset.Attack
	spec.Original, spec.Other, spec.Judge = p.Original.Run.Input(), other.Input(), p.judge.Input()
	spec.Prompt, spec.Finish = prompt, told
	spec.Fit.Epochs, spec.Fit.Subsets = 1, 1
	return Attack.AddAs(study.Labels{controlLabel: control}, &p.Plan, title, 3, spec)
}

// controlLabel labels the runs of a control. The look at a model has the label of its attacks.
const controlLabel = "control"

// weightsTitle selects the measured weight distances, and judgeTitle the second judge's labels.
const weightsTitle, judgeTitle = "Weights", "Judge"

// selected returns the control runs that belong to a selection: to a method and its concept, to gold, to the weights or
// to the second judge.
func (c ControlRuns) selected(of selection) (runs []*study.Run) {
	for _, gold := range c.Golds {
		if of.has(goldTitle, gold.Erasure.Paper) {
			runs = append(runs, gold.Look)
			for _, a := range gold.Attacked {
				runs = append(runs, a.Run)
			}
		}
	}
	for _, f := range c.Finished {
		if of.has(f.Prompt.Method, f.Prompt.Erased) {
			runs = append(append(runs, f.Gold), f.Unlearned...)
		}
	}
	if of.title == judgeTitle {
		runs = append(runs, c.Second.Run)
	}
	for _, m := range c.Moves {
		if of.has(m.Of.title, m.Of.erased) || of.has(weightsTitle, m.Of.erased) {
			runs = append(runs, m.Runs...)
		}
	}
	return runs
}

// moves plans how far the models of every method have moved from the original.
func (p *Plan) moves() {
	for _, pair := range p.Pairs {
		m := PairMoves{Title: pair.Method.Title + " of " + pair.Erasure.Paper,
			Of: selection{pair.Method.Title, pair.Erasure.Paper}}
		for seed, model := range pair.Models {
			title := fmt.Sprintf("%s, seed %d, how far it has moved", m.Title, seed)
			m.Runs = append(m.Runs, Moved.AddAs(study.Labels{controlLabel: "weights"}, &p.Plan, title, .1,
				MovedSpec{From: p.Original.Run.Input(), To: model.Run.Input()}))
		}
		p.Controls.Moves = append(p.Controls.Moves, m)
	}
}
