package concealment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Plan holds the runs of a preset.
type Plan struct {
	study.Plan
	Preset   Preset
	Original Model
	Others   []*study.Run // models trained like the original, with the preset's other outputs
	Golds    []Model      // gold models, one for each erased concept
	Pairs    []Pair       // methods with each concept that they erase
	Attacked []Attacks    // attacks, by prompt
	controls controlRuns
	judge    *study.Run
	core     func() map[store.Key]bool // keys of the study's runs; nil unless the preset is an addition
}

// Model holds the run that trains a model, and the run that judges its pictures for the gate's prompts.
type Model struct {
	Erasure concept.Erasure // concept that gold lacks; empty for the original
	Run     *study.Run
	Look    *study.Run
	Again   []Model // models of further training seeds, if each seed has its own
}

// Pair holds the runs of a method and one concept that it erases.
type Pair struct {
	Method  Method
	Erasure concept.Erasure
	Setting Setting
	Tuning  []*study.Run // tuning runs, one for each of the method's rates
	Models  []Model      // erased models, by training seed
}

// Attacks holds the attacks with one prompt, on each of the erased models and on gold.
type Attacks struct {
	Prompt    concept.PaperPrompt
	Erasure   concept.Erasure
	Unlearned []*study.Run // attacks by training seed; empty for the prompt of Figure 4
	Gold      *study.Run
	Golds     []*study.Run // attacks on the golds of further training seeds, if each seed has its own
}

// otherGold holds an additional gold model of a concept, and attacks on it with the study's prompts for the concept.
type otherGold struct {
	Model
	Name     string // what distinguishes the model: another training, or the word in other contexts
	Said     concept.Company
	Attacked []controlAttack
	seed     uint64 // random seed of the training
}

// controlAttack holds an attack with a prompt of the paper, on another gold model or with another finish.
type controlAttack struct {
	Prompt concept.PaperPrompt
	Run    *study.Run
}

// finished holds the attacks with one prompt in which completing models get a different prompt.
type finished struct {
	Finish    string // name of the finish
	Told      string
	Prompt    concept.PaperPrompt
	Gold      *study.Run   // attack on the gold model that was trained with the word in other contexts
	Unlearned []*study.Run // attacks on the erased models, by training seed
}

// controlRuns holds the runs of a preset's controls.
type controlRuns struct {
	Golds    []otherGold
	Finished []finished
	Moves    []pairMoves
	Second   secondLook
}

// pairMoves holds the runs that measure how far the models of a method and concept have moved, by training seed.
type pairMoves struct {
	Title string
	Of    selection
	Runs  []*study.Run
}

// secondLook holds the run of the second judge.
type secondLook struct {
	Run *study.Run
	of  []lookedAt
}

// lookedAt identifies an attack whose pictures the second judge labels. The attacked model is gold, or the method's
// model of the first training seed.
type lookedAt struct {
	row  int // index of the attack in the plan
	gold bool
}

// ofTraining returns the model of a training seed. All seeds share one model unless each seed has its own.
func (m Model) ofTraining(training int) Model {
	if training == 0 || len(m.Again) == 0 {
		return m
	}
	return m.Again[training-1]
}

// looks returns the runs that judge the model's pictures, one for each training seed that has its own model.
func (m Model) looks() []*study.Run {
	looks := []*study.Run{m.Look}
	for _, again := range m.Again {
		looks = append(looks, again.Look)
	}
	return looks
}

// erasure returns the erasure of a concept by the paper's name. It panics on an unknown name, because names come from
// presets.
func erasure(paper string) concept.Erasure {
	for _, e := range concept.Erasures() {
		if e.Paper == paper {
			return e
		}
	}
	panic("concealment: nothing erases " + paper)
}

// Of returns the runs of the given methods, and the runs of the original and gold for comparison. A name is a method's
// name in a preset or in the paper, and may include a concept, as in "esd-x of Van Gogh". In a preset with controls,
// the method's controls are included. There, "gold" selects the other gold models, "weights" the measured distances,
// and "judge" the second judge's labels.
func (p *Plan) Of(methods ...string) ([]*study.Run, error) {
	runs := p.Original.looks()
	for _, name := range methods {
		of, err := p.Preset.selected(name)
		if err != nil {
			return nil, err
		}
		for _, run := range p.selected(of) {
			if !slices.Contains(runs, run) {
				runs = append(runs, run)
			}
		}
	}
	return runs, nil
}

// selection selects a method by its title, and one of its concepts. If erased is "", it selects all concepts.
type selection struct{ title, erased string }

func (s selection) has(title, erased string) bool {
	return s.title == title && (s.erased == "" || s.erased == erased)
}

func (p *Plan) selected(of selection) (runs []*study.Run) {
	for _, pair := range p.Pairs {
		if !of.has(pair.Method.Title, pair.Erasure.Paper) {
			continue
		}
		runs = append(append(runs, p.gold(pair.Erasure).looks()...), pair.Tuning...)
		for _, m := range pair.Models {
			runs = append(runs, m.Look)
		}
	}
	for _, a := range p.Attacked {
		if of.has(a.Prompt.Method, a.Erasure.Paper) {
			runs = append(append(append(runs, a.Gold), a.Golds...), a.Unlearned...)
		}
	}
	return append(runs, p.controls.selected(of)...)
}

// selected parses a name into a selection.
func (p Preset) selected(name string) (selection, error) {
	method, erased, _ := strings.Cut(name, " of ")
	if title, one := map[string]string{"gold": goldTitle, "weights": weightsTitle, "judge": judgeTitle}[method]; one &&
		len(p.Controls.Concepts) > 0 {
		m := Method{Erased: p.Controls.Concepts}
		if title == judgeTitle {
			m.Erased = nil
		}
		m.Title = title
		return m.selected(name, erased)
	}
	m, err := p.named(method)
	if err != nil {
		return selection{}, err
	}
	return m.selected(name, erased)
}

func (m Method) selected(name, erased string) (selection, error) {
	if erased != "" && len(m.Erased) == 0 {
		return selection{}, fmt.Errorf("%q: there is one of all concepts, %s", name, strings.ToLower(m.Title))
	}
	if erased != "" && !slices.Contains(m.Erased, erased) {
		return selection{}, fmt.Errorf("%q: of this there are %s", name, strings.Join(m.Erased, ", "))
	}
	return selection{m.Title, erased}, nil
}

func (p Preset) named(name string) (Method, error) {
	var names []string
	for _, m := range p.Methods {
		if m.uniqueName() == name || m.Title == name {
			return m, nil
		}
		names = append(names, m.uniqueName())
	}
	hint := "; there are " + strings.Join(names, ", ")
	if near := spelling.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("; do you mean %s?", near)
	}
	return Method{}, fmt.Errorf("there is no method %q%s", name, hint)
}

// gold returns the gold model that was trained without a concept.
func (p *Plan) gold(e concept.Erasure) Model {
	return p.Golds[slices.IndexFunc(p.Golds, func(m Model) bool { return m.Erasure.Paper == e.Paper })]
}

// pairOf returns the pair for a method's title and a concept. It returns nil if the preset has none, for example for
// gold.
func (p *Plan) pairOf(title, erased string) *Pair {
	for i := range p.Pairs {
		if p.Pairs[i].Method.Title == title && p.Pairs[i].Erasure.Paper == erased {
			return &p.Pairs[i]
		}
	}
	return nil
}

// core returns the keys of the study's own runs if the preset is an addition to the study. Otherwise it returns nil.
func (p Preset) core() map[store.Key]bool {
	if !p.isAddition() {
		return nil
	}
	own := Mini()
	if len(p.Controls.Concepts) > 0 {
		own = p.uncontrolled()
	}
	return NewPlan(own).Keys()
}

// restricted returns the preset restricted to some methods and concepts, and to their prompts.
func (p Preset) restricted(of []selection) Preset {
	var methods []Method
	for _, m := range p.Methods {
		m.Erased = slices.DeleteFunc(slices.Clone(m.Erased), func(erased string) bool {
			return !slices.Contains(of, selection{m.Title, erased})
		})
		if len(m.Erased) > 0 {
			methods = append(methods, m)
		}
	}
	p.Methods = methods
	p.Prompts = slices.DeleteFunc(slices.Clone(p.Prompts), func(prompt concept.PaperPrompt) bool {
		return !slices.Contains(of, selection{prompt.Method, prompt.Erased})
	})
	return p
}

// selected returns the control runs of a selection: of a method and concept, of gold, of the weights, or of the second
// judge.
func (c controlRuns) selected(of selection) (runs []*study.Run) {
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

// Titles of selections in a preset with controls: weightsTitle selects measured distances, judgeTitle the second
// judge's labels.
const weightsTitle, judgeTitle = "Weights", "Judge"
