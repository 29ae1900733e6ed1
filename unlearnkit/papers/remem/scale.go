package remem

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const scaleTable = "scale"

// ofPaper holds the numbers of layers and the widths of LLaVA 1.5's decoders.
var ofPaper = map[string]Size{"LLaVA-1.5-7B": {Layers: 32, Width: 4096}, "LLaVA-1.5-13B": {Layers: 40, Width: 5120}}

// Numbers of people in the paper's data set (§6.1).
const (
	paperPeople = 20
	paperForget = 4 // 20 % of the people
)

// scale tabulates the sizes and settings of the paper and of the preset.
func (r *Results) scale() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Sizes of the paper and here (%s)", r.Preset.Name), Corner: "What",
		Columns: []report.Column{{Name: "The paper"}, {Name: "Here"}}}
	add := func(what string, paper, here float64) {
		row := report.Row{Name: what}
		for _, v := range []float64{paper, here} {
			cell := report.Word("–")
			if !math.IsNaN(v) {
				cell = report.Number(fmt.Sprintf("%.0f", v), v)
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	plan := NewPlan(r.Preset)
	for i, s := range r.Preset.Sizes {
		large, own := ofPaper[s.Model], s.Base.Size
		add("layers of "+s.Name, float64(large.Layers), float64(own.Layers))
		add("width of "+s.Name, float64(large.Width), float64(own.Width))
		add("parameters of "+s.Name, math.NaN(), r.parameters(plan.Bases[i]))
	}
	add("people", paperPeople, float64(r.Preset.People.Identities))
	add("people to forget", paperForget, float64(slices.Max(r.Preset.Forget)))
	t.Note = "S replaces LLaVA 1.5 with 7 billion parameters, L the one with 13 billion. Layers and width are " +
		"the decoder's; parameters are counted over the whole model."
	return t
}

// parameters returns the number of parameters of a base model. It reads the number from the manifest of the model's
// run, and returns NaN if it is missing.
func (r *Results) parameters(base *study.Run) (n float64) {
	artifact, err := r.store.Get(base.Key())
	if err != nil || json.Unmarshal(artifact.Manifest.Notes["parameters"], &n) != nil {
		return math.NaN()
	}
	return n
}
