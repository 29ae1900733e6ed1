package remem

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// tracedNames returns the names of the traced models, in the order in which they are traced.
func (p Preset) tracedNames() (names []string) {
	for _, shape := range p.Shapes {
		names = append(names, shapeName(shape.Name))
	}
	return append(names, publicRow)
}

// Map holds the mean effects of restoring activations, by part of the prompt and layer.
type Map struct {
	Name    string
	Site    string
	Rows    []string    // names of the parts of the prompt
	Effects [][]float64 // means over all questions, by row and layer; an untraced question counts as 0
	Traced  int         // number of questions whose total effect is large enough to trace
	Asked   int
}

// MapParts lists the parts of prompts in maps. The tokens of questions differ, but their parts are the same.
var MapParts = []string{"image", "subject", "later", "last"}

// Map returns the map of a traced model. It averages, over worlds and questions, the largest effect in each part of the
// prompt.
func (r *Results) Map(model int, site string) Map { return r.mapOf(r.traced(model), model, site) }

// traced returns the worlds whose traces count for a model. The base model has only one, because all worlds share it.
func (r *Results) traced(model int) []WorldScores {
	if model == len(r.Preset.Shapes) {
		return r.Worlds[:1]
	}
	return r.Worlds
}

// mapOf returns the map of a model, averaged over the given worlds.
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
				sums[at] += math.Round(value*1e7) / 1e7 // rounded so that the summation order has no influence
			}
		}
	}
	for part, name := range MapParts {
		m.Rows = append(m.Rows, name)
		effects := make([]float64, layers)
		for layer := range effects {
			effects[layer] = sums[[2]int{part, layer}] / float64(max(1, m.Asked))
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

// effects returns the mean probability and the mean total effect over all questions of a model. It also returns how
// many questions were traced and how many were asked.
func (r *Results) effects(model int) (clean, total float64, traced, asked int) {
	for _, w := range r.traced(model) {
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

// MapSites lists the kinds of activations that are restored.
var MapSites = []string{"perceptron", "attention", hiddenSite}

// hiddenSite is the kind of activation in the paper's maps.
const hiddenSite = "hidden state"

// mapTable tabulates, for each model, how much of an answer depends on the words that name the person, and in which
// activations.
func (r *Results) mapTable() (*report.Table, error) {
	if r.Preset.Traced == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "traces nothing"}
	}
	t := &report.Table{Title: fmt.Sprintf("Where answers are stored (%s)", r.Preset.Name), Corner: "Taught",
		Note: "Questions without the name about people who were taught, and about public people that the base " +
			"model knows; all worlds share the base model. The smaller size. Clean: the probability of the " +
			"true answer up to and including the value. Effect: how much of it is lost if the question names " +
			"an object instead of the person. Traced: questions with an effect above .05. First half: the " +
			"largest effect of restoring an activation of the subject in the first half of the layers, " +
			"averaged over all questions; untraced questions count as zero."}
	for _, name := range []string{"Clean", "Effect", "Traced"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, site := range MapSites {
		t.Columns = append(t.Columns, report.Column{Name: "First half/" + site})
	}
	for model, name := range r.Preset.tracedNames() {
		clean, total, traced, asked := r.effects(model)
		row := report.Row{Name: name, Cells: []report.Cell{number("%.3f", clean), number("%+.3f", total),
			{Text: fmt.Sprintf("%d of %d", traced, asked), Value: float64(traced), Unit: fmt.Sprintf("of %d", asked)}}}
		for _, site := range MapSites {
			row.Cells = append(row.Cells, number("%.4f", r.Map(model, site).early()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// early returns the largest effect at the subject in the first half of the layers.
func (m Map) early() float64 { return m.subject(0, (len(m.Effects[1])+1)/2) }

// late returns the largest effect at the subject in the second half of the layers.
func (m Map) late() float64 { return m.subject((len(m.Effects[1])+1)/2, len(m.Effects[1])) }

// subject returns the largest effect at the subject in a range of layers, or 0 if nothing is traced.
func (m Map) subject(from, to int) float64 {
	if m.Traced == 0 {
		return 0
	}
	return slices.Max(m.Effects[1][from:to])
}
