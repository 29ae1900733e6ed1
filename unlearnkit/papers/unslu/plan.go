package unslu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Plan holds the runs of a preset.
type Plan struct {
	study.Plan
	Preset    Preset
	Backbones map[string]*study.Run // runs that pre-train or read backbones, by the backbones' names
	Worlds    []World
}

// World holds the runs of one world.
type World struct {
	Benchmarks []BenchmarkRuns
	Epochs     []BenchmarkRuns // runs of Table 5: one method at one rate for each number of epochs
	Rates      []*study.Run    // runs of Figure 1
}

// BenchmarkRuns holds the runs of one data set and backbone.
type BenchmarkRuns struct {
	OriginalTraining, GoldTraining *study.Run
	Original, Gold                 *study.Run     // runs that compute the scores
	Untaught                       *study.Run     // scores of an original without pre-training; nil if not planned
	Methods                        [][]*study.Run // runs by method and rate
	Shadows                        []*study.Run
}

// Names of labels that runs have.
const (
	benchmarkLabel = "benchmark" // data set and backbone
	modelLabel     = "model"     // original, gold or untaught
)

// Names of models that unlearn nothing.
const (
	originalModel = "original"
	goldModel     = "gold"
	untaughtModel = "untaught"
)

// NewPlan plans the runs of a preset.
func NewPlan(p Preset) *Plan {
	plan := &Plan{Preset: p, Backbones: map[string]*study.Run{}}
	plan.Refuse(layout.Check(allColumns()...))
	for _, b := range p.Backbones {
		plan.backbone(b)
	}
	for world := range p.Worlds {
		plan.Worlds = append(plan.Worlds, plan.world(world))
	}
	return plan
}

func (p *Plan) backbone(b BackbonePreset) {
	if b.Published != "" {
		p.Backbones[b.Name] = Published.Add(&p.Plan, b.Name+", as published", 1, PublishedSpec{Model: b.Published})
		return
	}
	spec := b.BackboneSpec
	if b.After != "" {
		spec.Start = p.Backbones[b.After].Input()
	}
	cost := 1.
	if spec.Objective != Nothing {
		cost = 60
	}
	p.Backbones[b.Name] = Backbone.Add(&p.Plan, b.Name+", pre-training", cost, spec)
}

func (p *Plan) world(number int) (w World) {
	for _, b := range p.Preset.Benchmarks {
		w.Benchmarks = append(w.Benchmarks, p.benchmark(b, number, b.Name()))
	}
	for _, epochs := range p.Preset.Epochs.Budgets {
		b := p.Preset.Benchmarks[p.Preset.place(p.Preset.Epochs.Benchmark)]
		b.Training.Epochs, b.Training.Steps, b.Training.Stop, b.Training.Patience = epochs, 0, 0, 0
		b.Methods, b.Shadows, b.Untaught = []Method{p.Preset.Epochs.Method}, 0, ""
		w.Epochs = append(w.Epochs, p.benchmark(b, number, fmt.Sprintf("%s, %d epochs", b.Name(), epochs)))
	}
	if sweep := p.Preset.Rates; sweep.Benchmark != "" {
		at := p.Preset.place(sweep.Benchmark)
		w.Rates = p.unlearned(p.Preset.Benchmarks[at], sweep.Method, number, w.Benchmarks[at].OriginalTraining,
			sweep.Benchmark)
	}
	return w
}

// scored returns the runs of a world that compute scores.
func (w World) scored() []*study.Run {
	runs := slices.Clone(w.Rates)
	for _, b := range slices.Concat(w.Benchmarks, w.Epochs) {
		runs = append(runs, b.Original, b.Gold)
		if b.Untaught != nil {
			runs = append(runs, b.Untaught)
		}
		runs = append(slices.Concat(append([][]*study.Run{runs}, b.Methods...)...), b.Shadows...)
	}
	return runs
}

// benchmark plans the models of one data set and backbone. The titles of the runs contain name.
func (p *Plan) benchmark(b Benchmark, world int, name string) (runs BenchmarkRuns) {
	title := func(what string) string { return fmt.Sprintf("world %d: %s, %s", world, name, what) }
	base := func(model, backbone string, seed int, what string) (training, scores *study.Run) {
		role := study.Labels{benchmarkLabel: b.Name(), modelLabel: model}
		training = Base.AddAs(role, &p.Plan, title(what+", training"), b.Training.cost(), BaseSpec{
			Corpus: b.corpus(world), Backbone: p.Backbones[backbone].Input(), Training: b.Training,
			Gold: model == goldModel, Seed: uint64(seed),
		})
		return training, Judgement.AddAs(role, &p.Plan, title(what+", scores"), 3,
			JudgementSpec{Corpus: b.corpus(world), Model: training.Input()})
	}
	runs.OriginalTraining, runs.Original = base(originalModel, b.Backbone, world, "Original")
	runs.GoldTraining, runs.Gold = base(goldModel, b.Backbone, world, "Gold")
	if b.Untaught != "" {
		_, runs.Untaught = base(untaughtModel, b.Untaught, world, "Original from first values")
	}
	for i := range b.Shadows {
		_, scores := base(goldModel, b.Backbone, 1000*(i+1)+world, fmt.Sprintf("further gold model %d", i+1))
		runs.Shadows = append(runs.Shadows, scores)
	}
	for _, m := range b.Methods {
		runs.Methods = append(runs.Methods, p.unlearned(b, m, world, runs.OriginalTraining, name))
	}
	return runs
}

// unlearned plans the runs of a method, one for each rate.
func (p *Plan) unlearned(b Benchmark, m Method, world int, start *study.Run, name string) (runs []*study.Run) {
	for _, rate := range m.Rates {
		values := maps.Clone(m.Values)
		if values == nil {
			values = map[string]float64{}
		}
		values["rate"] = rate
		spec := UnlearnedSpec{Corpus: b.corpus(world), Start: start.Input(), Method: m.Name, Version: m.Version,
			Values: values, Seed: uint64(world)}
		if m.learnsFromUntrained() {
			spec.Untrained = p.Backbones[b.Backbone].Input()
		}
		runs = append(runs, Unlearned.AddAs(study.Labels{benchmarkLabel: b.Name()}, &p.Plan,
			fmt.Sprintf("world %d: %s, %s at rate %.3g", world, name, m.Title, rate), 12, spec))
	}
	return runs
}

// corpus returns the corpus of a world.
func (b Benchmark) corpus(world int) Corpus {
	c := b.Corpus
	c.World.Seed = uint64(world)
	return c
}

// of returns the runs of the given methods in every world, and of the models that the methods are compared with.
func (p *Plan) of(methods ...string) ([]*study.Run, error) {
	known := p.Preset.methods()
	for _, name := range methods {
		if !slices.ContainsFunc(known, func(e catalogue.Entry) bool { return e.Name == name }) {
			return nil, fmt.Errorf("there is no method %q%s", name, catalogue.Hint(name, known))
		}
	}
	var runs []*study.Run
	for _, w := range p.Worlds {
		for i, b := range w.Benchmarks {
			runs = append(append(runs, b.Original, b.Gold), b.Shadows...)
			for m, method := range p.Preset.Benchmarks[i].Methods {
				if slices.Contains(methods, method.Name) {
					runs = append(runs, b.Methods[m]...)
				}
			}
		}
	}
	return runs, nil
}
