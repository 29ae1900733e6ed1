package unslu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results are the raw scores of a preset. Every table, figure and claim is a function of them.
type Results struct {
	Preset Preset
	Worlds []WorldScores

	store   *store.Store            // that they were read from
	choices memo.Map[choice, []int] // of rates, which every table makes
}

// choice is how a rate is chosen.
type choice struct {
	benchmark int
	split     string
	variant   metric.GUMVariant
	without   int
}

// Seeds is the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// WorldScores are the models of one world.
type WorldScores struct {
	Benchmarks []BenchmarkScores // in the order of the preset; those that no shown table needs are empty
	Epochs     []BenchmarkScores // of Table 5, by budget, each with one method at one rate
	Rates      []*Model          // of Figure 1
}

// BenchmarkScores are the models of one data set and backbone.
type BenchmarkScores struct {
	Original, Gold *Model
	Methods        [][]*Model // by method and rate
	Shadows        []*Model   // further gold models, of other seeds
	Untaught       *Model     // an original without pre-training; nil of none

	longest *Model  // the gold model of Table 5's last budget; nil in other tables
	ahead   float64 // seconds that were added to runs whose clock left them out
}

// Read reads the results of a plan. Where tables are named it reads what these show and leaves the rest empty. Where
// runs are not made yet the error is a [study.Absent].
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

// Part reads the worlds of which every run is made.
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

// showsAll tells whether a table is among those that are shown, which are all where none is named.
func showsAll(tables []string, table string) bool {
	return len(tables) == 0 || slices.Contains(tables, table)
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

// Chosen returns for every method of a benchmark the place of the rate that is best by the mean of the metric over
// worlds on a split: we choose on validation clips, the paper on test clips. A model that diverged counts as nothing.
// Where several are as good the lowest rate is taken, which does the least.
func (r *Results) Chosen(benchmark int, split string, variant metric.GUMVariant) []int {
	return r.chosen(benchmark, split, variant, everyWorld)
}

// everyWorld leaves no world out of a choice.
const everyWorld = -1

// chosen is [Results.Chosen] without one of the worlds.
func (r *Results) chosen(benchmark int, split string, variant metric.GUMVariant, without int) []int {
	c := choice{benchmark, split, variant, without}
	chosen, _ := r.choices.Get(c, func() ([]int, error) { return r.choose(c), nil })
	return chosen
}

func (r *Results) choose(c choice) []int {
	methods, gum := r.Preset.Benchmarks[c.benchmark].Methods, gumOf("", c.split, Passes, c.variant, theGold)
	r.measure(c.benchmark, c.split)
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

// measure attacks all models of a benchmark, on as many processors as there are: each fits attacks of its own.
func (r *Results) measure(benchmark int, split string) {
	var models []*study.Evaluation
	for _, w := range r.Worlds {
		for _, model := range slices.Concat(w.Benchmarks[benchmark].Methods...) {
			models = append(models, model.Evaluation)
		}
	}
	mia(split).Compute(models...)
}

// references returns the models that columns compare with.
func (b *BenchmarkScores) references() study.References {
	refs := study.References{theOriginal: b.Original.Evaluation, theGold: b.Gold.Evaluation}
	if b.longest != nil {
		refs[theLongest] = b.longest.Evaluation
	}
	return refs
}
