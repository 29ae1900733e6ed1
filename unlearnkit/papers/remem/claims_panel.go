package remem

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// panel returns one number per world for every model and score that a claim may need.
func (r *Results) panel() *certify.Panel {
	panel := &certify.Panel{}
	add := func(name string, of func(s *SizeScores) *Model, size int, value func(m *Model) float64) {
		r.addByWorld(panel, name, size, func(s *SizeScores) float64 {
			if m := of(s); !m.lost() {
				return value(m)
			}
			return math.NaN()
		})
	}
	for size, s := range r.Preset.Sizes {
		for ratio, people := range r.Preset.Forget {
			for _, l := range r.methodLines(size, ratio) {
				for _, c := range append(methodColumns(), hopColumns("", "")...) {
					add(of(l.name(), c.Name, people), l.of, size, c.Of)
				}
			}
		}
		for place, l := range r.methodLines(size, r.Preset.last()) {
			add(l.name()+": choices", l.of, size, func(m *Model) float64 { return m.choices(false) })
			r.addByWorld(panel, gainOf(l.name()), size, func(s *SizeScores) float64 {
				return s.Helped[place].untold(true) - s.Helped[place].untold(false)
			})
		}
		add(s.Name+"/Base Model: choices", func(s *SizeScores) *Model { return s.Public }, size,
			func(m *Model) float64 { return m.choices(false) })
		for _, c := range learntColumns() {
			add(s.Name+": "+c.Name, func(s *SizeScores) *Model { return s.Base }, size, c.Of)
			add(s.Name+"*: "+c.Name, func(s *SizeScores) *Model { return s.Taught }, size, c.Of)
		}
	}
	r.addShapes(panel, add)
	r.addTraces(panel)
	r.addQuestions(panel, add)
	return panel
}

// gainOf names a model's gain at held-out facts, while it relearns other facts.
func gainOf(row string) string { return row + ": gain of untold facts" }

// addByWorld adds one number per world, or nothing if a world has none.
func (r *Results) addByWorld(panel *certify.Panel, name string, size int, value func(s *SizeScores) float64) {
	if all, are := r.byWorld(size, value); are {
		panel.Add(name, all)
	}
}

// byWorld returns one number per world, or false if a world has none.
func (r *Results) byWorld(size int, value func(s *SizeScores) float64) (certify.Outcomes, bool) {
	var outcomes [][]study.Outcome
	for world := range r.Worlds {
		v := value(&r.Worlds[world].Sizes[size])
		if math.IsNaN(v) {
			return certify.Outcomes{}, false
		}
		outcomes = append(outcomes, []study.Outcome{{Value: v, Tested: v}})
	}
	return table.Repeated(certified{Family: certify.Family{Name: "models"}}, outcomes), true
}

// adder adds one number per world, computed from a model, to the panel.
type adder func(name string, of func(*SizeScores) *Model, size int, value func(*Model) float64)

// otherShapes lists the shapes of the benchmarks that the paper's Figures 1 and 2 compare with its own.
var otherShapes = []string{"FIUBench", "MLLMU-bench"}

// shapeColumns lists the scores of Figure 1.
var shapeColumns = []string{"EM", "ROUGE", "GPT"}

// addShapes adds how much a model learns of what each shape teaches, and how well names are memorized.
func (r *Results) addShapes(panel *certify.Panel, add adder) {
	for i, shape := range r.Preset.Shapes {
		own, name := func(s *SizeScores) *Model { return s.Shapes[i] }, shapeName(shape.Name)
		for _, c := range nameColumns() {
			add(name+": "+c.Name, own, 0, c.Of)
		}
		for _, c := range learningColumns() {
			if slices.Contains(shapeColumns, c.Name) {
				add(name+": "+c.Name, own, 0, c.Of)
			}
		}
		for _, c := range nameScores {
			r.addByWorld(panel, apart(name, c.name), 0, func(s *SizeScores) float64 {
				return extreme(s.Public, c.of, false) - extreme(s.Shapes[i], c.of, true)
			})
		}
	}
	for _, c := range nameColumns() {
		add(publicRow+": "+c.Name, func(s *SizeScores) *Model { return s.Public }, 0, c.Of)
	}
}

// nameScores lists the two coordinates of Figure 2 for one name.
var nameScores = []struct {
	name string
	of   func(s Secret) float64
}{
	{"Min-k%", func(s Secret) float64 { return 100 * float64(s.MinK) }},
	{"Inverse Perplexity", func(s Secret) float64 { return 100 * float64(s.Inverse) }},
}

// apart names the gap between the lowest public name and the highest name taught in a shape.
func apart(shape, column string) string { return publicRow + " less " + shape + ": " + column }

// extreme returns the greatest or the least score of a model's names, or NaN if it has no names.
func extreme(m *Model, of func(s Secret) float64, greatest bool) float64 {
	value := math.NaN()
	for _, s := range m.nameSecrets() {
		if v := of(s); math.IsNaN(value) || v > value == greatest {
			value = v
		}
	}
	return value
}

// addTraces adds the early and late effects at the subject, for models that every world teaches. It skips the base
// model, which is a single model with the same questions in all worlds.
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
			panel.Add(effectOf(name, half.name), table.Repeated(certified{Family: certify.Family{Name: "models"}},
				byWorld))
		}
	}
}

// effectOf names the largest effect at the subject in one half of a model's layers.
func effectOf(model, half string) string { return model + ": " + half + " effect" }

// tracedModels returns the names of the traced models, or nil if nothing is traced.
func (r *Results) tracedModels() []string {
	if r.Preset.Traced == 0 {
		return nil
	}
	return r.Preset.tracedNames()
}

// addQuestions adds how much is learnt about one person, by the number and the mix of questions.
func (r *Results) addQuestions(panel *certify.Panel, add adder) {
	for i, count := range r.Preset.Counts {
		own := func(s *SizeScores) *Model { return s.Counts[i] }
		r.addRight(panel, byCount(count, "EM"), own, "")
		add(byCount(count, "ROUGE"), own, 0, func(m *Model) float64 { return m.share(rouge, PartTest, "") })
		add(byCount(count, "perplexity"), own, 0, func(m *Model) float64 { return m.perplexity(PartTest) })
	}
	for i, share := range r.Preset.Shares {
		for _, h := range append(hops, struct{ hop, name string }{"", "both"}) {
			r.addRight(panel, byShare(share, h.name), func(s *SizeScores) *Model { return s.Shares[i] }, h.hop)
		}
	}
}

// byCount and byShare name scores of a model that was taught one person.
func byCount(count int, column string) string { return fmt.Sprintf("questions/%d: %s", count, column) }
func byShare(share int, hop string) string    { return fmt.Sprintf("by name/%d: %s", share, hop) }

// addRight adds the share of the test about one person that a model answers rightly, with the step size of few
// questions.
func (r *Results) addRight(panel *certify.Panel, name string, of func(s *SizeScores) *Model, hop string) {
	questions := 0
	all, are := r.byWorld(0, func(s *SizeScores) float64 {
		m := of(s)
		if m.lost() {
			return math.NaN()
		}
		questions = len(among(m.Answers, PartTest, hop))
		return m.share(right, PartTest, hop)
	})
	if are {
		panel.Add(name, all.Step(100/float64(questions)))
	}
}
