package remem

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Plan holds the runs of a preset.
type Plan struct {
	study.Plan
	Preset Preset
	Tower  *study.Run
	Bases  []*study.Run // runs that train or check the base models, by size
	Worlds []WorldRuns
}

// WorldRuns holds the runs of one world, by size of the models.
type WorldRuns struct{ Sizes []SizeRuns }

// SizeRuns holds the runs of one size of models in one world.
type SizeRuns struct {
	Base         *study.Run // scores of the base model, which does not know the world's people
	Public       *study.Run // scores of the base model on public people; the same in all worlds
	Taught, Gold ModelRuns
	Methods      [][]ModelRuns // models by number of people to forget, and by method
	Shapes       []*study.Run  // scores of models, by benchmark that teaches the people
	Counts       []*study.Run  // scores of models, by number of questions about one person
	Shares       []*study.Run  // scores of models, by share of questions that name the person
	Traces       []*study.Run  // traces by benchmark; the last one is of public people
}

// ModelRuns holds the runs of a model: the training, the scores, and attempts to bring back forgotten knowledge.
type ModelRuns struct {
	Model, Scores *study.Run
	Relearnt      *study.Run   // nil if the preset does not relearn
	Rounded       []*study.Run // scores with rounded weights, by number of bits
}

// NewPlan plans the runs of a preset.
func NewPlan(p Preset) *Plan {
	plan := &Plan{Preset: p}
	plan.Refuse(files.Check(slices.Concat(methodColumns(), hopColumns("", ""), learntColumns(), choicesColumns(),
		nameColumns(), learningColumns())...))
	for _, s := range p.Sizes {
		plan.Bases = append(plan.Bases, plan.base(s))
	}
	plan.Worlds = make([]WorldRuns, p.Worlds)
	for i := range p.Sizes { // The outer loop is over sizes, because all worlds share the compiled programs of a size.
		for number := range plan.Worlds {
			w := &plan.Worlds[number]
			w.Sizes = append(w.Sizes, plan.size(number, i))
		}
	}
	return plan
}

// base plans the base model of a size, which knows nobody of any world.
func (p *Plan) base(s SizePreset) *study.Run {
	if s.Published != "" {
		return Published.AddAs(study.Labels{sizeLabel: s.Name}, &p.Plan, s.Model+", as published", 1,
			PublishedSpec{Model: s.Published})
	}
	shared := p.Preset.world(0).shared()
	tower := p.Preset.Tower
	tower.World = shared
	p.Tower = Tower.Add(&p.Plan, "the vision tower", 200, tower)
	base := s.Base
	base.World, base.Tower = shared, p.Tower.Input()
	return Base.AddAs(study.Labels{sizeLabel: s.Name}, &p.Plan, "the base model, size "+s.Name, s.baseCost(), base)
}

// under returns the models that a model's adapters are added to. It returns nil for a small model, whose weights are
// stored completely.
func (l layout) under(model *study.Run) (inputs []study.Input) {
	base := l.Bases[l.size]
	if l.Preset.Sizes[l.size].Published == "" || model == base {
		return nil
	}
	inputs = []study.Input{base.Input()}
	if Unlearned.Made(model) {
		spec, _ := Unlearned.Spec(model)
		inputs = append(inputs, spec.Start)
	}
	return inputs
}

// layout plans the runs of one size in one world.
type layout struct {
	*Plan
	number, size int
	world        World
}

// sizeLabel labels runs with the size of the models.
const sizeLabel = "size"

func (l layout) role() study.Labels { return study.Labels{sizeLabel: l.Preset.Sizes[l.size].Name} }

func (l layout) title(format string, values ...any) string {
	return fmt.Sprintf("world %d, size %s: ", l.number, l.Preset.Sizes[l.size].Name) + fmt.Sprintf(format, values...)
}

func (p *Plan) size(number, size int) (runs SizeRuns) {
	l := layout{p, number, size, p.Preset.world(number)}
	most := slices.Max(p.Preset.Forget)
	base := p.Bases[size]
	if p.Preset.Download == nil {
		shared := JudgementSpec{World: l.world.shared(), Model: base.Input(), Asked: Public, Choices: p.Preset.Choices,
			Unknown: p.Preset.unknown(size)}
		runs.Public = Judgement.AddAs(l.role(), &p.Plan,
			fmt.Sprintf("the base model, size %s, scores", p.Preset.Sizes[size].Name),
			10, shared)
	}
	if p.Preset.Whole {
		runs.Base = l.judged("the base model", base, JudgementSpec{Asked: Everybody})
	}
	runs.Taught.Model = l.taught("learning people", Lesson{Shape: profile.FullShape})
	runs.Taught.Scores = l.judged("Before", runs.Taught.Model, JudgementSpec{Asked: Everybody,
		Choices: p.Preset.Choices, Unknown: p.Preset.unknown(size)})
	runs.Gold.Model = l.taught("learning all but the forgotten", Lesson{Shape: profile.FullShape, Gold: most})
	runs.Gold.Scores = l.judged("Gold", runs.Gold.Model, JudgementSpec{Asked: Forgotten, Forget: most,
		Choices: p.Preset.Choices})
	l.help("Before", &runs.Taught)
	l.help("Gold", &runs.Gold)
	for _, forget := range p.Preset.Forget {
		var row []ModelRuns
		for _, m := range p.Preset.Methods {
			row = append(row, l.unlearned(m, forget, runs.Taught.Model))
		}
		runs.Methods = append(runs.Methods, row)
	}
	if size == 0 {
		l.learning(&runs)
	}
	return runs
}

// taught plans the training that teaches a model about people.
func (l layout) taught(what string, lesson Lesson) *study.Run {
	s := l.Preset.Sizes[l.size]
	questions := 20 * lesson.Shape.Questions()
	if lesson.Alone {
		questions /= 20
	}
	return Taught.AddAs(l.role(), &l.Plan.Plan, l.title("%s", what), float64(questions)/20*s.cost(),
		TaughtSpec{World: l.world,
			Base: l.Bases[l.size].Input(), Lesson: lesson, Training: l.Preset.teaching(l.size, lesson),
			Seed: uint64(l.number)})
}

// judged plans the run that computes a model's scores.
func (l layout) judged(name string, model *study.Run, spec JudgementSpec) *study.Run {
	spec.World, spec.Model, spec.Under = l.world, model.Input(), l.under(model)
	cost := 15.
	if spec.Asked == Everybody {
		cost = 40
	}
	if spec.Bits > 0 {
		name += fmt.Sprintf(" in %d bits", spec.Bits)
	}
	return Judgement.AddAs(l.role(), &l.Plan.Plan, l.title("%s, scores", name), cost, spec)
}

// unlearned plans the runs of a method on the taught model: unlearning, scores, and attempts to bring back knowledge.
func (l layout) unlearned(m Method, forget int, start *study.Run) (runs ModelRuns) {
	s := l.Preset.Sizes[l.size]
	values := maps.Clone(m.Values)
	if values == nil {
		values = map[string]float64{}
	}
	if rate, given := m.Rates[s.Name]; given {
		values["rate"] = rate
	}
	values["batch"] = float64(l.Preset.Batch)
	name := fmt.Sprintf("%s of %d", m.Title, forget)
	runs.Model = Unlearned.AddAs(l.role(), &l.Plan.Plan, l.title("%s", name), 8*float64(forget)*s.cost(), UnlearnedSpec{
		World: l.world, Start: start.Input(), Under: l.under(start), Forget: forget, Method: m.Name,
		Version: m.Version, Values: values, Epochs: l.Preset.Epochs, Rank: s.Teaching.Rank, Seed: uint64(l.number),
		Precision: s.Teaching.Precision})
	spec := JudgementSpec{Asked: Forgotten, Forget: forget, Briefly: true}
	if forget == slices.Max(l.Preset.Forget) {
		spec.Choices, spec.Briefly = l.Preset.Choices, false
	}
	runs.Scores = l.judged(name, runs.Model, spec)
	if forget == slices.Max(l.Preset.Forget) {
		l.help(name, &runs)
	}
	return runs
}

// help plans attempts to bring back forgotten knowledge: relearning other facts, and rounding the weights.
func (l layout) help(name string, runs *ModelRuns) {
	most := slices.Max(l.Preset.Forget)
	if spec := l.Preset.Relearning; len(spec.Budgets) > 0 {
		spec.World, spec.Model, spec.Forget, spec.Seed = l.world, runs.Model.Input(), most, uint64(l.number)
		spec.Under = l.under(runs.Model)
		runs.Relearnt = Relearnt.AddAs(l.role(), &l.Plan.Plan, l.title("%s, learning half again", name), 20, spec)
	}
	for _, bits := range l.Preset.Bits {
		runs.Rounded = append(runs.Rounded, l.judged(name, runs.Model, JudgementSpec{Asked: Forgotten, Forget: most,
			Bits: bits, Briefly: true}))
	}
}

// learning plans the models that show how learning depends on the number and kind of questions.
func (l layout) learning(runs *SizeRuns) {
	own := func(what string, lesson Lesson) (model, scores *study.Run) {
		model = l.taught(what, lesson)
		return model, l.judged(what, model, JudgementSpec{Asked: Own, Lesson: lesson})
	}
	if l.Preset.Traced > 0 {
		runs.Traces = make([]*study.Run, 0, len(l.Preset.Shapes)+1)
	}
	trace := func(what string, model *study.Run, public bool) {
		if l.Preset.Traced > 0 {
			runs.Traces = append(runs.Traces, Tracing.AddAs(l.role(), &l.Plan.Plan,
				l.title("%s, causal maps", what), 30,
				TracingSpec{World: l.world, Model: model.Input(), Public: public, Samples: l.Preset.Traced}))
		}
	}
	for _, shape := range l.Preset.Shapes {
		model, scores := own("learning people in the shape of "+shape.Name, Lesson{Shape: shape})
		runs.Shapes = append(runs.Shapes, scores)
		trace(shape.Name, model, false)
	}
	if len(l.Preset.Shapes) > 0 {
		trace("public people", l.Bases[l.size], true)
	}
	for _, count := range l.Preset.Counts {
		_, scores := own(fmt.Sprintf("learning one person by %d questions", count),
			Lesson{Shape: oneShape(count, defaultShare), Alone: true})
		runs.Counts = append(runs.Counts, scores)
	}
	for _, share := range l.Preset.Shares {
		_, scores := own(fmt.Sprintf("learning one person, %d %% by name", share),
			Lesson{Shape: oneShape(100, share), Alone: true})
		runs.Shares = append(runs.Shares, scores)
	}
}

// defaultShare is the percentage of questions that name the person, unless a model varies it.
const defaultShare = 70

// oneShape returns a shape with count questions about a person. share is the percentage of questions that name the
// person.
func oneShape(count, share int) profile.Shape {
	single := (count*share + 50) / 100
	return profile.Shape{Name: fmt.Sprintf("%d, %d %% single", count, share), Pictures: min(count, 100), Single: single,
		Multi: count - single}
}

// of returns the runs of the given methods in every world, and of the models that the methods are compared with.
func (p *Plan) of(methods ...string) ([]*study.Run, error) {
	var entries []catalogue.Entry
	for _, m := range p.Preset.Methods {
		entries = append(entries, m.Entry)
	}
	for _, name := range methods {
		if !slices.ContainsFunc(entries, func(e catalogue.Entry) bool { return e.Name == name }) {
			return nil, fmt.Errorf("there is no method %q%s", name, catalogue.Hint(name, entries))
		}
	}
	var runs []*study.Run
	for _, w := range p.Worlds {
		for _, s := range w.Sizes {
			runs = append(runs, s.Taught.Scores, s.Gold.Scores)
			if s.Public != nil {
				runs = append(runs, s.Public)
			}
			for _, row := range s.Methods {
				for i, m := range row {
					if slices.Contains(methods, p.Preset.Methods[i].Name) {
						runs = append(runs, m.Scores)
					}
				}
			}
		}
	}
	return runs, nil
}
