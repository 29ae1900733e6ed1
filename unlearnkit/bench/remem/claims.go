package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/grid"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Claims are what the paper says, judged on the results.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	claims := r.claims()
	certify.Testable(claims, panel.Has)
	return certify.JudgeClaims("remem", r.Preset.Name, len(r.Worlds), panel, claims)
}

// ClaimsTable lays out what holds of the paper's claims.
func (r *Results) ClaimsTable() *report.Table {
	t := bench.ClaimsTable(Study, r.Claims(), r.Frame())
	if r.lack != "" {
		t.Note = "n: " + r.count() + ". " + t.Note
	}
	return t
}

// panel has one number a world for every model and score that a claim may ask for.
func (r *Results) panel() *certify.Panel {
	panel := &certify.Panel{}
	add := func(name string, of func(s *SizeScores) *Model, size int, value func(m *Model) float64) {
		if all, are := r.byModel(of, size, value); are {
			panel.Add(name, all)
		}
	}
	for size, s := range r.Preset.Sizes {
		for ratio, people := range r.Preset.Forget {
			for _, l := range r.methodLines(size, ratio) {
				for _, c := range append(methodColumns(), hopColumns("", "")...) {
					add(of(l.name, c.Name, people), l.of, size, c.Of)
				}
			}
		}
		for _, l := range append(r.methodLines(size, r.Preset.last()), line{s.Name + "/Base Model",
			func(s *SizeScores) *Model { return s.Public }}) {
			add(l.name+": choices", l.of, size, func(m *Model) float64 { return m.choices(false) })
		}
		for _, c := range learntColumns() {
			add(s.Name+": "+c.Name, func(s *SizeScores) *Model { return s.Base }, size, c.Of)
			add(s.Name+"*: "+c.Name, func(s *SizeScores) *Model { return s.Taught }, size, c.Of)
		}
	}
	r.addLearning(panel, add)
	return panel
}

// byModel are a number of one model in each world; false where one has none.
func (r *Results) byModel(of func(s *SizeScores) *Model, size int, value func(m *Model) float64) (certify.Outcomes,
	bool) {
	var byWorld [][]grid.Outcome
	for world := range r.Worlds {
		m := of(&r.Worlds[world].Sizes[size])
		if m.lost() {
			return certify.Outcomes{}, false
		}
		v := value(m)
		if v != v {
			return certify.Outcomes{}, false // of nothing
		}
		byWorld = append(byWorld, []grid.Outcome{{Value: v, Tested: v}})
	}
	return table.Repeated(certified{Family: certify.Family{Name: "models"}}, byWorld), true
}

// addRight adds which share of the test of one person a model answers rightly, which few questions tell in coarse
// steps.
func (r *Results) addRight(panel *certify.Panel, name string, of func(s *SizeScores) *Model, hop string) {
	questions := 0
	all, are := r.byModel(of, 0, func(m *Model) float64 {
		questions = len(among(m.Answers, PartTest, hop))
		return m.share(right, PartTest, hop)
	})
	if are {
		panel.Add(name, all.Step(100/float64(questions)))
	}
}

// tracedModels are the names of the models that are traced; none where nothing is.
func (r *Results) tracedModels() []string {
	if r.Preset.Traced == 0 {
		return nil
	}
	return r.Preset.tracedNames()
}

// addLearning adds what is learnt by what is taught, at the smaller size.
func (r *Results) addLearning(panel *certify.Panel,
	add func(string, func(*SizeScores) *Model, int, func(*Model) float64)) {
	for model, name := range r.tracedModels() {
		var byWorld [][]grid.Outcome
		for world := range r.Worlds {
			v := r.mapOf(r.Worlds[world:world+1], model, hiddenSite).earlyOfAll()
			byWorld = append(byWorld, []grid.Outcome{{Value: v, Tested: v}})
		}
		panel.Add(name+": early effect", table.Repeated(certified{Family: certify.Family{Name: "models"}}, byWorld))
	}
	names := nameColumns()
	for i, shape := range r.Preset.Shapes {
		own := func(s *SizeScores) *Model { return s.Shapes[i] }
		for _, c := range names {
			add(shapeName(shape.Name)+": "+c.Name, own, 0, c.Of)
		}
		add(shapeName(shape.Name)+": EM", own, 0, func(m *Model) float64 { return m.share(right, PartTest, "") })
	}
	for _, c := range names {
		add(publicRow+": "+c.Name, func(s *SizeScores) *Model { return s.Public }, 0, c.Of)
	}
	for i, count := range r.Preset.Counts {
		own := func(s *SizeScores) *Model { return s.Counts[i] }
		r.addRight(panel, fmt.Sprintf("questions/%d: EM", count), own, "")
		add(fmt.Sprintf("questions/%d: ROUGE", count), own, 0, func(m *Model) float64 {
			return m.share(rouge, PartTest, "")
		})
		add(fmt.Sprintf("questions/%d: perplexity", count), own, 0, func(m *Model) float64 {
			return m.perplexity(PartTest)
		})
	}
	for i, share := range r.Preset.Shares {
		for _, h := range append(hops, struct{ hop, name string }{"", "both"}) {
			r.addRight(panel, fmt.Sprintf("by name/%d: %s", share, h.name),
				func(s *SizeScores) *Model { return s.Shares[i] }, h.hop)
		}
	}
}

// of names a score of a row at a number of people in the panel.
func of(row, column string, people int) string {
	return fmt.Sprintf("%s of %d: %s", row, people, column)
}

// at is a score of a method at the largest number of people.
func (r *Results) at(size, method, column string) certify.Quantity {
	return certify.Mean(of(size+"/"+method, column, r.Preset.Forget[r.Preset.last()]))
}

// each are conditions for every one of some names.
func each[N any](names []N, of func(name N) []certify.Condition) []certify.Condition {
	var parts [][]certify.Condition
	for _, name := range names {
		parts = append(parts, of(name))
	}
	return certify.All(parts...)
}

// mean is the mean of quantities.
func mean(all ...certify.Quantity) certify.Quantity {
	return func(m certify.Means) float64 {
		sum := 0.
		for _, q := range all {
			sum += q(m) / float64(len(all))
		}
		return sum
	}
}
