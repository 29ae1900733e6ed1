package unslu

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const componentsTable = "components"

func component(name string, of func(g metric.GUMResult) float64) study.Metric {
	return ofGUM(name, onSplit(Test), wall, metric.GUMOnAccuracy, theGold, func(in metric.GUMInput, _ ...float64) float64 {
		return of(metric.GUM(in, metric.GUMOnAccuracy))
	})
}

func efficacy() study.Metric {
	return component("E", func(g metric.GUMResult) float64 { return g.E })
}

// fromGold returns the metric of the distance between a model's MIA and the gold model's.
func fromGold() study.Metric {
	return study.Metric{Name: "MIA from gold", Family: oneModel, Score: study.Combine("", func(v []float64) float64 {
		return math.Abs(v[0] - v[1])
	}, study.Own(mia(Test)), study.Under(theGold, mia(Test)))}
}

// components tabulates the parts of GUM for each method.
func (r *Results) components() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("The parts of GUM (%s)", r.Preset.Name), Corner: "Method"}
	columns := componentColumns()
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name})
	}
	var means []line
	for i, b := range r.Preset.Benchmarks {
		lines := r.methodRows(i)
		for _, l := range lines {
			row := report.Named(b.levels(l.name)...)
			for _, c := range columns {
				row.Cells = append(row.Cells, short(r.estimate(r.score(i, l, c))))
			}
			t.Rows = append(t.Rows, row)
		}
		if i == 0 {
			means = lines
		}
	}
	for _, l := range means {
		row := report.Named("all", l.name)
		for _, c := range columns {
			row.Cells = append(row.Cells, short(r.estimate(func(world int) (mean float64) {
				for i := range r.Preset.Benchmarks {
					mean += r.score(i, r.lineOf(i, l.name), c)(world) / float64(len(r.Preset.Benchmarks))
				}
				return mean
			})))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = "U is one minus the distance of test accuracy from gold's, E efficacy under the attack, T the " +
		"saved share of gold's time, on a logarithmic scale; GUM is their harmonic mean. MIA from gold: the " +
		`mean of the distances in each world. Rows "all" are means over the benchmarks.` + r.aheadNote()
	return t
}

// lineOf returns the row of a method on a benchmark, at the rate chosen for that benchmark.
func (r *Results) lineOf(benchmark int, name string) line {
	lines := r.allRows(benchmark)
	return lines[slices.IndexFunc(lines, func(l line) bool { return l.name == name })]
}

// componentColumns returns the columns of the components table: the parts of GUM, and the distance between MIA and the
// gold model's MIA.
func componentColumns() []study.Metric {
	return []study.Metric{
		component("U", func(g metric.GUMResult) float64 { return g.U }), efficacy(),
		component("T", func(g metric.GUMResult) float64 { return g.T }), fromGold(),
	}
}
