package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of these scores.
type Results struct {
	study.Hidden
	Preset Preset
	Worlds []WorldScores
	guests []guestScores    // scores of imported models
	doubts study.GuestNotes // doubts about imported models

	store   *store.Store            // store that the scores were read from
	choices memo.Map[choice, []int] // cache of the chosen rates, which every table needs
}

// choice identifies a choice of learning rates for one benchmark.
type choice struct {
	benchmark int
	on        attackOn
	variant   metric.GUMVariant
	without   int
}

// WorldScores holds the scores of all models in one world.
type WorldScores struct {
	Benchmarks []BenchmarkScores // scores in the order of the preset; empty if no shown table needs them
	Epochs     []BenchmarkScores // models of Table 5: one method at one rate for each number of epochs
	Rates      []*Model          // models of Figure 1
}

// BenchmarkScores holds the scores of the models for one data set and backbone.
type BenchmarkScores struct {
	Original, Gold *Model
	Methods        [][]*Model // models by method and rate
	Shadows        []*Model   // further gold models, trained with other seeds
	Untaught       *Model     // original without pre-training; nil if it was not trained

	longest *Model  // gold model with the largest number of epochs in Table 5; nil in other tables
	ahead   float64 // seconds of preparation that were added to runs of CF-k, whose recorded seconds lack them
}

// guestScores holds the scores of a user's imported models.
type guestScores struct {
	Name       string
	Benchmarks [][]*study.Evaluation // scores by benchmark and world; nil if the user imported no model for them
}

// Seeds returns the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// Read reads the results of a plan. If tables are named, it reads only the scores that these tables show. If runs have
// not been computed yet, it returns [study.Absent].
func (p *Plan) Read(s *store.Store, tables ...string) (*Results, error) {
	if err := p.Complete(s); err != nil {
		return nil, err
	}
	return p.read(s, tables)
}

func (p *Plan) read(s *store.Store, tables []string) (*Results, error) {
	if err := layout.Check(allColumns()...); err != nil {
		return nil, err
	}
	r := &Results{Preset: p.Preset, store: s}
	for i := range p.Worlds {
		scores, err := p.Worlds[i].read(s, p.Preset, i, tables)
		if err != nil {
			return nil, err
		}
		r.Worlds = append(r.Worlds, scores)
	}
	return r, nil
}

// Part reads the results of the worlds whose runs are complete.
func (p *Plan) Part(s *store.Store) (*Results, error) {
	part := *p
	part.Worlds = nil
	for _, w := range p.Worlds {
		missing, err := p.Missing(s, w.scored()...)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			part.Worlds = append(part.Worlds, w)
		}
	}
	if len(part.Worlds) == 0 {
		return nil, p.Complete(s)
	}
	part.Preset.Worlds = len(part.Worlds)
	return part.read(s, nil)
}

func (w *World) read(s *store.Store, p Preset, number int, tables []string) (scores WorldScores, err error) {
	scores.Benchmarks = make([]BenchmarkScores, len(w.Benchmarks))
	for i, runs := range w.Benchmarks {
		if p.Benchmarks[i].shown(tables) {
			if scores.Benchmarks[i], err = runs.read(s, number); err != nil {
				return scores, err
			}
			scores.Benchmarks[i].countAhead(p.Benchmarks[i].Methods)
			if p.ByPasses {
				scores.Benchmarks[i].countPasses()
			}
		}
	}
	if showsAll(tables, epochsTable) {
		for _, runs := range w.Epochs {
			models, err := runs.read(s, number)
			if err != nil {
				return scores, err
			}
			scores.Epochs = append(scores.Epochs, models)
		}
		for i := range scores.Epochs {
			scores.Epochs[i].longest = scores.Epochs[len(scores.Epochs)-1].Gold
		}
	}
	if len(tables) == 0 && len(w.Rates) > 0 {
		scores.Rates, err = readModels(s, w.Rates, number, scores.Benchmarks[p.place(p.Rates.Benchmark)].Original)
	}
	return scores, err
}

func (b BenchmarkRuns) read(s *store.Store, world int) (scores BenchmarkScores, err error) {
	if scores.Original, err = readModel(s, b.Original, world, nil); err != nil {
		return scores, err
	}
	if scores.Gold, err = readModel(s, b.Gold, world, scores.Original); err != nil {
		return scores, err
	}
	for _, m := range []*Model{scores.Original, scores.Gold} {
		if m.Lost() {
			return scores, fmt.Errorf("%s: it has no scores", m.Run.Title)
		}
	}
	for _, runs := range b.Methods {
		models, err := readModels(s, runs, world, scores.Original)
		if err != nil {
			return scores, err
		}
		scores.Methods = append(scores.Methods, models)
	}
	if b.Untaught != nil {
		if scores.Untaught, err = readModel(s, b.Untaught, world, scores.Original); err != nil {
			return scores, err
		}
	}
	scores.Shadows, err = readModels(s, b.Shadows, world, scores.Original)
	return scores, err
}

func readModels(s *store.Store, runs []*study.Run, world int, others *Model) (models []*Model, err error) {
	for _, run := range runs {
		m, err := readModel(s, run, world, others)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// Chosen returns the index of the best rate for every method of a benchmark, by the metric's mean over worlds on a
// split. We choose on validation clips; the paper chooses on test clips. A model that diverged counts as 0. Among
// equally good rates it returns the lowest, which changes the model least.
func (r *Results) Chosen(benchmark int, split string, variant metric.GUMVariant) []int {
	return r.chosen(choice{benchmark, onSplit(split), variant, everyWorld})
}

// everyWorld as choice.without includes all worlds.
const everyWorld = -1

// chosen is like [Results.Chosen] but may leave out one world, and may use one draw of the attack.
func (r *Results) chosen(c choice) []int {
	chosen, _ := r.choices.Get(c, func() ([]int, error) { return r.choose(c), nil })
	return chosen
}

func (r *Results) choose(c choice) []int {
	methods, gum := r.Preset.Benchmarks[c.benchmark].Methods, gumOf("", c.on, passes, c.variant, theGold)
	r.measure(c.benchmark, c.on.split)
	chosen := make([]int, len(methods))
	for m, method := range methods {
		best := -1.
		for rate := range method.Rates {
			sum := 0.0
			for world, w := range r.Worlds {
				b := &w.Benchmarks[c.benchmark]
				if model := b.Methods[m][rate]; world != c.without && !model.Lost() {
					sum += gum.Mean(model.Evaluation, b.references())
				}
			}
			if sum > best+1e-12 {
				best, chosen[m] = sum, rate
			}
		}
	}
	return chosen
}

// measure attacks all models of a benchmark, in parallel. Each model needs its own fitted attacks.
func (r *Results) measure(benchmark int, split string) {
	var models []*study.Evaluation
	for _, w := range r.Worlds {
		for _, model := range slices.Concat(w.Benchmarks[benchmark].Methods...) {
			models = append(models, model.Evaluation)
		}
	}
	mia(split).Compute(models...)
}

// references returns the models that columns compare with, by name.
func (b *BenchmarkScores) references() study.References {
	refs := study.References{theOriginal: b.Original.Evaluation, theGold: b.Gold.Evaluation}
	if b.longest != nil {
		refs[theLongest] = b.longest.Evaluation
	}
	return refs
}
