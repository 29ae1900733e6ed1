package remem

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"gonum.org/v1/gonum/stat"
)

// panel returns the means of all scores that claims may need. Each mean has one number per world.
func (r *Results) panel() *certify.Panel {
	panel := &certify.Panel{Looks: r.Preset.Looks}
	add := r.adder(panel)
	for size, s := range r.Preset.Sizes {
		r.addMethods(panel, size)
		for _, c := range learntColumns() {
			add(s.Name+": "+c.Name, func(s *SizeScores) *Model { return s.Base }, size, c)
			add(s.Name+"*: "+c.Name, func(s *SizeScores) *Model { return s.Taught }, size, c)
		}
	}
	r.addShapes(panel, add)
	r.addTraces(panel)
	r.addQuestions(panel, add)
	return panel
}

// addMethods adds the scores of the taught model, gold and the methods of one size.
func (r *Results) addMethods(panel *certify.Panel, size int) {
	add, name := r.adder(panel), r.Preset.Sizes[size].Name
	for ratio, people := range r.Preset.Forget {
		for _, l := range r.methodLines(size, ratio) {
			for _, c := range append(methodColumns(), hopColumns("", "")...) {
				add(certify.ScoreOf(after(l.name(), people), c.Name), l.of, size, c)
			}
		}
	}
	choices, gain := choicesColumns()[0], r.Preset.gain()
	for place, l := range r.methodLines(size, r.Preset.last()) {
		add(l.name()+": choices", l.of, size, choices)
		r.addByWorld(panel, gainOf(l.name()), size, func(s *SizeScores) float64 {
			return gain.Mean(s.helped[place].Relearnt, nil)
		})
	}
	add(name+"/Base Model: choices", func(s *SizeScores) *Model { return s.Public }, size, choices)
}

// gainOf returns the panel's name for the share of held-out facts that a model regains while it relearns other facts.
func gainOf(row string) string { return row + ": gain of untold facts" }

// numbersOf describes scores with one number per world.
var numbersOf = study.Metric{Family: models}

// addByWorld adds a mean with one number per world. It adds nothing if the number is NaN in a world.
func (r *Results) addByWorld(panel *certify.Panel, name string, size int, value func(s *SizeScores) float64) {
	if all, are := r.byWorld(size, value); are {
		panel.Add(name, all)
	}
}

// byWorld returns outcomes with one number per world, or false if the number is NaN in a world.
func (r *Results) byWorld(size int, value func(s *SizeScores) float64) (certify.Outcomes, bool) {
	var outcomes [][]study.Outcome
	for world := range r.Worlds {
		v := value(&r.Worlds[world].Sizes[size])
		if math.IsNaN(v) {
			return certify.Outcomes{}, false
		}
		outcomes = append(outcomes, []study.Outcome{{Value: v, Tested: v}})
	}
	return table.Repeated(numbersOf, outcomes), true
}

// adder adds a model's score to the panel, with one number per world.
type adder func(name string, of func(*SizeScores) *Model, size int, c study.Metric)

// adder returns a function that adds scores to the panel.
func (r *Results) adder(panel *certify.Panel) adder {
	return func(name string, of func(*SizeScores) *Model, size int, c study.Metric) {
		r.addByWorld(panel, name, size, func(s *SizeScores) float64 { return of(s).score(c) })
	}
}

// otherShapes lists the benchmarks that the paper's Figures 1 and 2 compare with its own.
var otherShapes = []string{"FIUBench", "MLLMU-bench"}

// shapeColumns lists the scores of Figure 1.
var shapeColumns = []string{"EM", "ROUGE", "GPT"}

// addShapes adds, for each benchmark, how much a model learns of its facts, and how well it memorises names.
func (r *Results) addShapes(panel *certify.Panel, add adder) {
	for i, shape := range r.Preset.Shapes {
		own, name := func(s *SizeScores) *Model { return s.Shapes[i] }, shapeName(shape.Name)
		for _, c := range nameColumns() {
			add(name+": "+c.Name, own, 0, c)
		}
		for _, c := range learningColumns() {
			if slices.Contains(shapeColumns, c.Name) {
				add(name+": "+c.Name, own, 0, c)
			}
		}
		least, greatest := namesBy("least ", "the least", slices.Min), namesBy("greatest ", "the greatest", slices.Max)
		for k, c := range nameColumns() {
			r.addByWorld(panel, gapName(name, c.Name), 0, func(s *SizeScores) float64 {
				return s.Public.score(least[k]) - s.Shapes[i].score(greatest[k])
			})
		}
	}
	for _, c := range nameColumns() {
		add(publicRow+": "+c.Name, func(s *SizeScores) *Model { return s.Public }, 0, c)
	}
}

// gapName returns the panel's name for the gap between the lowest score of a public name and the highest score of a
// name that a benchmark teaches.
func gapName(shape, column string) string { return publicRow + " less " + shape + ": " + column }

// addTraces adds the early and late effects at the subject, for the models that are trained in every world. It skips
// the base model, because all worlds share it and its questions.
func (r *Results) addTraces(panel *certify.Panel) {
	for model, name := range r.tracedModels() {
		if name == publicRow {
			continue
		}
		for _, half := range []struct {
			name string
			of   func(m Map) float64
		}{{"early", Map.early}, {"late", Map.late}} {
			var byWorld [][]study.Outcome
			for world := range r.Worlds {
				v := half.of(r.mapOf(r.Worlds[world:world+1], model, hiddenSite))
				byWorld = append(byWorld, []study.Outcome{{Value: v, Tested: v}})
			}
			panel.Add(effectOf(name, half.name), table.Repeated(numbersOf, byWorld))
		}
	}
}

// effectOf returns the panel's name for the largest effect at the subject, in one half of a model's layers.
func effectOf(model, half string) string { return model + ": " + half + " effect" }

// tracedModels returns the names of the traced models. It returns nil if the preset traces nothing.
func (r *Results) tracedModels() []string {
	if r.Preset.Traced == 0 {
		return nil
	}
	return r.Preset.tracedNames()
}

// addQuestions adds how much a model learns about one person, by the number of questions and by the share that names
// the person.
func (r *Results) addQuestions(panel *certify.Panel, add adder) {
	for i, count := range r.Preset.Counts {
		own := func(s *SizeScores) *Model { return s.Counts[i] }
		r.addRight(panel, byCount(count, "EM"), own, "")
		add(byCount(count, "ROUGE"), own, 0, taughtOne["ROUGE"])
		add(byCount(count, "perplexity"), own, 0, perplexity("Perplexity", PartTest))
	}
	for column, score := range taughtOne {
		r.addByWorld(panel, scaledCorrelation(column), 0, func(s *SizeScores) float64 {
			var counts, scores []float64
			for i, count := range r.Preset.Counts {
				counts, scores = append(counts, float64(count)), append(scores, s.Counts[i].score(score))
			}
			return math.Atanh(stat.Correlation(counts, scores, nil))
		})
	}
	for i, share := range r.Preset.Shares {
		for _, h := range append(hops, struct{ hop, name string }{"", "both"}) {
			r.addRight(panel, byShare(share, h.name), func(s *SizeScores) *Model { return s.Shares[i] }, h.hop)
		}
	}
}

// taughtOne lists the scores of models that learnt about a single person, by the name of their column.
var taughtOne = map[string]study.Metric{
	"EM":    answered("EM_t", PartTest, "", "right", report.Higher),
	"ROUGE": answered("ROUGE", PartTest, "", "rouge", report.Higher),
}

// scaledCorrelation returns the panel's name for the correlation of the number of questions about a person with a
// score, on Fisher's scale. A world has one person, as the paper's Figure 3 has.
func scaledCorrelation(column string) string { return "questions: Fisher's z with " + column }

// inWorlds returns the correlation of the number of questions with a score within worlds, averaged on Fisher's scale.
func inWorlds(column string) certify.Quantity {
	return func(m certify.Means) float64 { return math.Tanh(m(scaledCorrelation(column))) }
}

// byCount and byShare return the panel's names for scores of models that learnt about a single person.
func byCount(count int, column string) string { return fmt.Sprintf("questions/%d: %s", count, column) }
func byShare(share int, hop string) string    { return fmt.Sprintf("by name/%d: %s", share, hop) }

// addRight adds the share of test questions about one person that a model answers correctly. With few questions, the
// mean has a resolution, see [certify.Outcomes.Step].
func (r *Results) addRight(panel *certify.Panel, name string, of func(s *SizeScores) *Model, hop string) {
	questions := 0
	all, are := r.byWorld(0, func(s *SizeScores) float64 {
		m := of(s)
		if m.lost() {
			return math.NaN()
		}
		questions = len(among(m.Answers, PartTest, hop))
		return m.score(answered("EM_t", PartTest, hop, "right", report.Higher))
	})
	if are {
		panel.Add(name, all.Step(100/float64(questions)))
	}
}

// Sections of the paper whose claims are headline claims.
const (
	abstract   = "Abstract"
	conclusion = "§8"
)

// after returns the panel's name for a row, with the number of people to forget.
func after(row string, people int) string { return fmt.Sprintf("%s of %d", row, people) }

// rows returns the panel's names for methods, at the largest number of people to forget.
func (r *Results) rows(size string, methods ...string) (rows []string) {
	for _, method := range methods {
		rows = append(rows, after(size+"/"+method, r.Preset.Forget[r.Preset.last()]))
	}
	return rows
}

// at returns a score of a method at the largest number of people to forget.
func (r *Results) at(size, method, column string) certify.Quantity {
	return certify.Score(r.rows(size, method)[0], column)
}

// trend returns the slope of the least-squares line through quantities at given numbers, such as numbers of people.
func trend(numbers []int, of func(number int) certify.Quantity) certify.Quantity {
	xs := make([]float64, len(numbers))
	for i, n := range numbers {
		xs[i] = float64(n)
	}
	return func(m certify.Means) float64 {
		ys := make([]float64, len(numbers))
		for i, n := range numbers {
			ys[i] = of(n)(m)
		}
		_, slope := stat.LinearRegression(xs, ys, nil, false)
		return slope
	}
}

// correlation returns Pearson's correlation of two lists of quantities.
func correlation(a, b []certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 {
		var xs, ys []float64
		for i := range a {
			xs, ys = append(xs, a[i](m)), append(ys, b[i](m))
		}
		return stat.Correlation(xs, ys, nil)
	}
}

// negative returns a quantity with the opposite sign.
func negative(q certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 { return -q(m) }
}
