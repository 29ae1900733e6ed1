package salmu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Plan holds the runs of a preset.
type Plan struct {
	study.Plan
	Preset   Preset
	Worlds   []World
	variants []variantRuns
	Trials   [][]World     // worlds of each trial, without Independent, FromClean and Rates
	Scores   study.Entries // all scores, with their labels

	attacks []plannedAttack

	core func() map[store.Key]bool // keys of the study's runs; nil unless the preset is an addition
}

// World holds the runs of one world.
type World struct {
	Clean, Compromised, Independent *study.Run   // scores of the base models; a download may lack Independent
	Methods, FromClean, Rates       []*study.Run // runs for Preset.Methods, Preset.Clean and Preset.Rates, with scores
}

// variantRuns holds the runs of a variant.
type variantRuns struct {
	Compromised *study.Run
	Methods     []*study.Run
}

// NewPlan plans the runs of a preset.
func NewPlan(p Preset) *Plan {
	plan := &Plan{Preset: p, core: sync.OnceValue(p.core)}
	plan.Refuse(layout.Check(p.Columns()...))
	for world := range p.Worlds {
		plan.Worlds = append(plan.Worlds, plan.world(world))
	}
	for _, v := range p.Variants {
		plan.variants = append(plan.variants, plan.variant(v))
	}
	for i, t := range p.Trials {
		plan.Trials = append(plan.Trials, plan.trial(i, t))
	}
	for world := p.Looked; world < p.Worlds && len(p.Attacked) > 0; world++ {
		plan.attacksOn(world, plan.models(world))
	}
	return plan
}

// core returns the keys of the study's own runs if the preset is an addition to the study. Otherwise it returns nil.
func (p Preset) core() map[store.Key]bool {
	if !p.isAddition() {
		return nil
	}
	if len(p.Attacked) > 0 {
		return NewPlan(TenWorlds()).Keys()
	}
	return NewPlan(Mini()).Keys()
}

// main returns all runs of some worlds, and the runs of variants, except the runs of trials.
func (p *Plan) main(worlds []int) (runs []*study.Run) {
	for _, world := range worlds {
		runs = append(runs, p.Worlds[world].own()...)
	}
	for _, v := range p.variants {
		runs = append(append(runs, v.Compromised), v.Methods...)
	}
	return runs
}

// Of returns the runs of the given methods in every world, from either base model and at every rate. It also returns
// the runs of the base models that the methods are compared with.
func (p *Plan) Of(methods ...string) ([]*study.Run, error) {
	names := p.Preset.names()
	for _, name := range methods {
		if slices.Contains(names, name) {
			continue
		}
		if p.Preset.leftOut(name) {
			return nil, fmt.Errorf("%s trains on a sample of the training data, which is not part of the "+
				"published data: give --retain DIR with pictures and captions", name)
		}
		hint := "; there are " + strings.Join(names, ", ")
		if near := spelling.Nearest(name, names); near != "" {
			hint = fmt.Sprintf("; do you mean %s?", near)
		}
		return nil, fmt.Errorf("there is no method %q%s", name, hint)
	}
	runs := p.Scores.Where(partKey.Is(ofBases)).Runs()
	for _, part := range []string{ofMethods, ofClean, ofRates} {
		for _, method := range methods {
			runs = append(runs, p.Scores.Where(partKey.Is(part), methodKey.Is(method)).Runs()...)
		}
	}
	return runs, nil
}

// Names of labels that runs have.
const (
	modelLabel   = "model"   // clean, compromised or independent
	methodLabel  = "method"  // method whose model is attacked, or the base model
	startLabel   = "start"   // base model that a method starts from
	variantLabel = "variant" // title of the variant, if the run belongs to one
	trialLabel   = "trial"   // title of the trial, if the run belongs to one
)

// modelTitles maps base models to their titles.
var modelTitles = map[string]string{clean: "Clean", compromised: "Compromised", independent: "Independent"}

// A setting is the context in which runs are planned: a world of the study, a variant or a trial.
type setting struct {
	corpus Corpus
	prefix string       // prefix of the runs' titles
	labels study.Labels // labels that all runs get

	number int           // number of the world
	part   string        // label of the scores of methods; "" for the study itself
	scores []study.Label // labels that all scores get
	first  *study.Entry  // scores of the same examples; nil before they are planned
}

// world plans one world. For generated data, its independent model is the Clean model of the next world, which was
// trained on neither this world's people nor its pictures.
func (p *Plan) world(number int) World {
	in := &setting{corpus: p.Preset.corpus(number), prefix: fmt.Sprintf("world %d: ", number), number: number}
	models := p.models(number)
	w := World{Clean: p.judged(in, clean, models), Compromised: p.judged(in, compromised, models)}
	if models[independent] != nil {
		w.Independent = p.judged(in, independent, models)
	}
	p.portraits(in, w)
	in.part = ofMethods
	for _, m := range p.Preset.Methods {
		w.Methods = append(w.Methods, p.unlearned(in, compromised, models, m, m.Title))
	}
	in.part = ofClean
	for _, m := range p.Preset.Clean {
		w.FromClean = append(w.FromClean, p.unlearned(in, clean, models, m, m.Title+" from Clean"))
	}
	in.part = ofRates
	for _, m := range p.Preset.Rates {
		w.Rates = append(w.Rates, p.unlearned(in, compromised, models, m,
			fmt.Sprintf("%s at rate %.3g", m.Title, m.Values["rate"])))
	}
	return w
}

// models plans the base models of a world, by name. They are trained on the world, or published.
func (p *Plan) models(world int) map[string]*study.Run {
	d := p.Preset.Download
	if d == nil {
		return map[string]*study.Run{clean: p.base(world, false), compromised: p.base(world, true),
			independent: p.base((world+1)%max(2, p.Preset.Worlds), false)}
	}
	models := map[string]*study.Run{clean: p.published(clean, d.Clean),
		compromised: p.published(compromised, d.Compromised)}
	if d.Independent != "" {
		models[independent] = p.published(independent, d.Independent)
	}
	return models
}

func (p *Plan) base(world int, sensitive bool) *study.Run {
	spec := BaseSpec{Corpus: p.Preset.corpus(world), Size: p.Preset.Size, Training: p.Preset.Training,
		Compromised: sensitive, Seed: uint64(world)}
	model := clean
	if sensitive {
		model = compromised
	}
	return Base.AddAs(study.Labels{modelLabel: model}, &p.Plan,
		fmt.Sprintf("world %d: %s, training", world, modelTitles[model]), 100, spec)
}

func (p *Plan) judged(in *setting, model string, models map[string]*study.Run) *study.Run {
	run := Judgement.AddAs(in.labels.With(modelLabel, model), &p.Plan, in.prefix+modelTitles[model]+", scores", 2,
		JudgementSpec{Corpus: in.corpus, Pictures: p.pictures(in.corpus), Model: models[model].Input(),
			Each: p.Preset.Each})
	scores := study.Entry{Run: run, File: ScoresFile(0), Repetition: in.number, Pair: in.first,
		Labels: append([]study.Label{partKey.Is(cmp.Or(in.part, ofBases)), modelKey.Is(model)}, in.scores...)}
	if in.part == "" {
		scores.Reference = model
	}
	entry := p.Scores.Add(scores)
	if in.first == nil {
		in.first = entry
	}
	return run
}

// portraits adds the scores of portraits by the Clean and Compromised models.
func (p *Plan) portraits(in *setting, w World) {
	for _, of := range []struct {
		model string
		run   *study.Run
	}{{clean, w.Clean}, {compromised, w.Compromised}} {
		p.Scores.Add(study.Entry{Run: of.run, File: GapFile, Repetition: in.number,
			Labels: portraitsOf(of.model, in.scores...)})
	}
}

func (p *Plan) unlearned(in *setting, start string, models map[string]*study.Run, m Method, title string) *study.Run {
	if len(m.Budgets) == 0 {
		p.Refuse(fmt.Errorf("the method %s has no budgets: give passes over the forget set, as in Budgets: "+
			"[]int{1, 5}", m.Name))
		m.Budgets = []int{1}
	}
	corpus := in.corpus
	if d := p.Preset.Download; d != nil && m.walksRetain() {
		corpus.Retain = d.Retain
	}
	run := Unlearned.AddAs(in.labels.With(startLabel, start), &p.Plan, in.prefix+title, cost(m), UnlearnedSpec{
		Corpus: corpus, Pictures: p.pictures(corpus), Start: models[start].Input(), Method: m.Name, Version: m.Version,
		Values: m.Values, Budgets: m.Budgets, Each: p.Preset.Each, Retain: p.Preset.Retain, Seed: corpus.root(),
	})
	for _, budget := range m.Budgets {
		p.Scores.Add(study.Entry{Run: run, File: ScoresFile(budget), Repetition: in.number, Budget: budget,
			Levels: rowLevels(m, budget), Labels: append(m.judged(in.part, budget), in.scores...), Pair: in.first})
	}
	return run
}

// cost estimates the time of a run relative to the training of a base model, from measurements.
func cost(m Method) float64 {
	passes := float64(m.Budgets[len(m.Budgets)-1])
	perPass := map[string]float64{"finetuning": 1.3, "descent-to-delete": 1.3, "vlunlearn": 3, "delete": 2,
		"cliperase": 2}[m.Name]
	return 2*float64(len(m.Budgets)) + max(1, perPass)*passes
}

// pictures plans the runs that preprocess the pictures of a corpus. Generated data need no such runs.
func (p *Plan) pictures(c Corpus) (inputs []study.Input) {
	for _, source := range c.Sources() {
		spec := PicturesSpec{Source: source.Digest, Size: p.Preset.Download.Image}
		inputs = append(inputs, Pictures.Add(&p.Plan, "pictures of "+source.Title, 5, spec).Input())
	}
	return inputs
}

// published plans the run that checks a published model.
func (p *Plan) published(model, digest string) *study.Run {
	return Published.AddAs(study.Labels{modelLabel: model}, &p.Plan, modelTitles[model]+", as published", .01,
		PublishedSpec{Model: digest})
}

// own returns the runs of a world.
func (w World) own() []*study.Run {
	bases := []*study.Run{w.Clean, w.Compromised}
	if w.Independent != nil {
		bases = append(bases, w.Independent)
	}
	return slices.Concat(bases, w.Methods, w.FromClean, w.Rates)
}

func (p *Plan) variant(v Variant) variantRuns {
	corpus := Corpus{World: &v.World, Revision: persona.Revision}
	spec := BaseSpec{Corpus: corpus, Size: v.Size, Training: p.Preset.Training, Compromised: true, Seed: v.World.Seed}
	in := &setting{corpus: corpus, prefix: v.Title + ": ", labels: study.Labels{variantLabel: v.Title}, part: ofVariants,
		scores: []study.Label{variantKey.Is(v.Title)}}
	base := Base.AddAs(in.labels.With(modelLabel, compromised), &p.Plan, in.prefix+"Compromised, training",
		100*relative(v.Size, p.Preset.Size), spec)
	models := map[string]*study.Run{compromised: base}
	runs := variantRuns{Compromised: p.judged(in, compromised, models)}
	for _, m := range v.Methods {
		runs.Methods = append(runs.Methods, p.unlearned(in, compromised, models, m, m.Title))
	}
	return runs
}

// trial plans the runs of a trial. It returns them by world.
func (p *Plan) trial(index int, t Trial) []World {
	worlds := make([]World, min(t.Worlds, p.Preset.Worlds))
	for number := range worlds {
		in := &setting{corpus: t.corpus(number), prefix: fmt.Sprintf("%s, world %d: ", t.Title, number),
			labels: study.Labels{trialLabel: t.Title}, number: number, part: ofTrials,
			scores: []study.Label{trialKey.Is(index)}}
		models := p.models(number)
		w := World{Clean: p.judged(in, clean, models), Compromised: p.judged(in, compromised, models)}
		p.portraits(in, w)
		for _, m := range t.Methods {
			w.Methods = append(w.Methods, p.unlearned(in, compromised, models, m, m.Title))
		}
		worlds[number] = w
	}
	return worlds
}
