package remem

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// tracedNames are what traces are of, in their order.
func (p Preset) tracedNames() (names []string) {
	for _, shape := range p.Shapes {
		names = append(names, shapeName(shape.Name))
	}
	return append(names, publicRow)
}

// Map is the mean effect of putting activations back, by place and layer.
type Map struct {
	Name    string
	Site    string
	Rows    []string    // parts of the prompt, in their order
	Effects [][]float64 // by row and layer
	Traced  int         // questions that it is the mean of
	Asked   int
}

// MapParts are the parts of prompts as maps show them. A question's tokens differ, but not what they are for.
var MapParts = []string{"image", "subject", "later", "last"}

// Map is the mean over worlds and questions of the largest effect in each part of the prompt, for one of the models
// that are traced.
func (r *Results) Map(model int, site string) Map { return r.mapOf(r.Worlds, model, site) }

// mapOf is that of some worlds.
func (r *Results) mapOf(worlds []WorldScores, model int, site string) Map {
	m := Map{Name: r.Preset.tracedNames()[model], Site: site}
	sums, layers := map[[2]int]float64{}, 0
	for _, w := range worlds {
		traces := w.Sizes[0].Traces[model]
		m.Asked += len(traces.Effects)
		largest := map[string]map[[2]int]float64{}
		for _, restored := range traces.Maps {
			if restored.Site != site {
				continue
			}
			part := slices.Index(MapParts, restored.Part)
			at := [2]int{part, int(restored.Layer)}
			layers = max(layers, int(restored.Layer)+1)
			if largest[restored.ID] == nil {
				largest[restored.ID] = map[[2]int]float64{}
				m.Traced++
			}
			if value, known := largest[restored.ID][at]; !known || float64(restored.Effect) > value {
				largest[restored.ID][at] = float64(restored.Effect)
			}
		}
		for _, id := range slices.Sorted(keys(largest)) {
			for at, value := range largest[id] {
				sums[at] += math.Round(value*1e7) / 1e7 // so that the order leaves no trace
			}
		}
	}
	for part, name := range MapParts {
		m.Rows = append(m.Rows, name)
		effects := make([]float64, layers)
		for layer := range effects {
			effects[layer] = sums[[2]int{part, layer}] / float64(max(1, m.Traced))
		}
		m.Effects = append(m.Effects, effects)
	}
	return m
}

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// effects are the total effects of all traced questions of a model.
func (r *Results) effects(model int) (clean, total float64, traced, asked int) {
	for _, w := range r.Worlds {
		for _, e := range w.Sizes[0].Traces[model].Effects {
			clean += float64(e.Clean)
			total += float64(e.Clean - e.Corrupted)
			asked++
			if e.Traced {
				traced++
			}
		}
	}
	return clean / float64(asked), total / float64(asked), traced, asked
}

// MapSites are the activations that are put back.
var MapSites = []string{"perceptron", "attention", hiddenSite}

// hiddenSite is what the paper's maps are of.
const hiddenSite = "hidden state"

// mapTable shows for each model how much of an answer hangs on the words that name the person, and where.
func (r *Results) mapTable() (*report.Table, error) {
	if r.Preset.Traced == 0 {
		return nil, &bench.Lacks{Preset: r.Preset.Name, Why: "traces nothing"}
	}
	t := &report.Table{Title: fmt.Sprintf("Through what answers pass (%s)", r.Preset.Name), Corner: "Taught",
		Note: "Questions without the name about people who were taught, and about public people of the base model; " +
			"the smaller size. Clean: the probability of the true answer's beginning up to the value. Effect: what " +
			"of it is lost where the question names a thing in place of the person. A map is drawn of questions " +
			"whose effect is above .05. First half: the largest effect of putting an activation of the subject back, " +
			"in the first half of the layers."}
	for _, name := range []string{"Clean", "Effect", "Traced"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, site := range MapSites {
		t.Columns = append(t.Columns, report.Column{Name: "First half/" + site})
	}
	for model, name := range r.Preset.tracedNames() {
		clean, total, traced, asked := r.effects(model)
		row := report.Row{Name: name, Cells: []report.Cell{number("%.3f", clean), number("%+.3f", total),
			report.Number(fmt.Sprintf("%d of %d", traced, asked), float64(traced))}}
		for _, site := range MapSites {
			row.Cells = append(row.Cells, number("%.3f", r.Map(model, site).early()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// early is the largest effect at the subject in the first half of the layers; NaN of a map of nothing.
func (m Map) early() float64 {
	if m.Traced == 0 {
		return math.NaN()
	}
	effects := m.Effects[1]
	return slices.Max(effects[:(len(effects)+1)/2])
}

// earlyOfAll is that over all questions that were asked: one whose effect is too small to be traced has none there.
func (m Map) earlyOfAll() float64 {
	if m.Traced == 0 {
		return 0
	}
	return m.early() * float64(m.Traced) / float64(m.Asked)
}
