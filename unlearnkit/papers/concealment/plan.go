package concealment

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Plan holds the runs of the study at a preset.
type Plan struct {
	study.Plan
	Preset   Preset
	Original Model
	Others   []*study.Run // trained like the original, with the preset's other outputs
	Golds    []Model      // one for each erasure
	Pairs    []Pair       // one for each method and concept that it erases
	Attacked []Attacks    // one for each prompt
	Controls ControlRuns
	judge    *study.Run
	core     func() map[store.Key]bool // runs of the main study, if the preset asks further questions
}

// Model is a model and the judge's labels of its pictures of the gate's prompts.
type Model struct {
	Erasure concept.Erasure // the zero value for the original
	Run     *study.Run
	Look    *study.Run
	Again   []Model // further training seeds, if each seed has its own original and gold models
}

// of returns the model of a training seed. All seeds share one model, unless each has its own.
func (m Model) of(training int) Model {
	if training == 0 || len(m.Again) == 0 {
		return m
	}
	return m.Again[training-1]
}

// looks returns the looks at the model, one for each training seed that has its own model.
func (m Model) looks() []*study.Run {
	looks := []*study.Run{m.Look}
	for _, again := range m.Again {
		looks = append(looks, again.Look)
	}
	return looks
}

// Pair is a method and a concept that it erases.
type Pair struct {
	Method  Method
	Erasure concept.Erasure
	Setting Setting
	Tuning  []*study.Run // one for each of the method's rates
	Models  []Model      // by training seed
}

// Attacks holds the attacks with one prompt, on each of the erased models and on gold.
type Attacks struct {
	Prompt    concept.PaperPrompt
	Erasure   concept.Erasure
	Unlearned []*study.Run // by training seed; empty for Figure 4's prompt
	Gold      *study.Run
	Golds     []*study.Run // further training seeds, if each has its own gold
}

// NewPlan plans the runs of a preset.
func NewPlan(p Preset) *Plan {
	plan := &Plan{Preset: p, core: sync.OnceValue(p.core)}
	plan.judge = Judge.Add(&plan.Plan, "judge, training", 4, p.Judge)
	spec := p.Base
	spec.Judge = plan.judge.Input()
	plan.Original = plan.model("original", concept.Erasure{}, plan.base(spec, "original, training"), p.Gate)
	plan.again(&plan.Original, "original", spec, p.Gate)
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
		plan.again(&gold, title, spec, p.Each)
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

// erasure returns the erasure of a concept, by the paper's name. It panics on an unknown name, because names come
// from presets.
func erasure(paper string) concept.Erasure {
	for _, e := range concept.Erasures() {
		if e.Paper == paper {
			return e
		}
	}
	panic("concealment: nothing erases " + paper)
}

// Of returns the runs of some methods, and the runs of the original and gold for comparison. Methods are named as in
// a preset or as in the paper. A name may include a concept, as in "esd-x of Van Gogh". In a preset with controls,
// the controls are included. There "gold" selects the other gold models, "weights" the measured weight distances, and
// "judge" the second judge's labels.
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

// selection selects a method by its title, and one concept that it erases; "" selects all concepts.
type selection struct{ title, erased string }

func (s selection) has(title, erased string) bool {
	return s.title == title && (s.erased == "" || s.erased == erased)
}

// selected returns the runs of a selection.
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
	return append(runs, p.Controls.selected(of)...)
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
		if m.called() == name || m.Title == name {
			return m, nil
		}
		names = append(names, m.called())
	}
	hint := "; there are " + strings.Join(names, ", ")
	if near := spelling.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("; do you mean %s?", near)
	}
	return Method{}, fmt.Errorf("there is no method %q%s", name, hint)
}

// gold returns the model that was trained without a concept.
func (p *Plan) gold(e concept.Erasure) Model {
	return p.Golds[slices.IndexFunc(p.Golds, func(m Model) bool { return m.Erasure.Paper == e.Paper })]
}

// pairOf returns the pair of a method's title and a concept, or nil for the gold model.
func (p *Plan) pairOf(title, erased string) *Pair {
	for i := range p.Pairs {
		if p.Pairs[i].Method.Title == title && p.Pairs[i].Erasure.Paper == erased {
			return &p.Pairs[i]
		}
	}
	return nil
}
