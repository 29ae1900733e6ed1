package unslu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

const selectionTable = "selection"

// selection describes the choice of a method's learning rates on all benchmarks, and its effect on GUM.
type selection struct {
	Method string
	// Lowest, Between and Highest count the benchmarks whose chosen rate is the lowest of its grid, in between, or the
	// highest.
	Lowest, Between, Highest int
	GUM                      certify.Cell // mean over the benchmarks, at the rates chosen on all worlds
	Without                  certify.Cell // mean over the benchmarks; each world uses the rates chosen on the others
	Added                    certify.Cell // GUM minus Without
}

// selections returns one selection per method. With a single world, Without and Added are NaN.
func (r *Results) selections() (all []selection) {
	together := make([][]int, len(r.Preset.Benchmarks)) // index of the rate by benchmark and method
	others := make([][][]int, len(r.Preset.Benchmarks)) // index of the rate by benchmark, world and method
	for i := range together {
		together[i] = r.Chosen(i, Validation, metric.GUMOnAccuracy)
		for world := range r.Worlds {
			others[i] = append(others[i], r.chosen(choice{i, onSplit(Validation), metric.GUMOnAccuracy, world}))
		}
	}
	for m, method := range r.Preset.Benchmarks[0].Methods {
		s := selection{Method: method.Title}
		for i := range together {
			s.count(together[i][m], len(r.Preset.Benchmarks[i].Methods[m].Rates))
		}
		chosen := r.meanGUM(m, func(i, _ int) int { return together[i][m] })
		without := func(int) float64 { return math.NaN() }
		if len(r.Worlds) > 1 {
			without = r.meanGUM(m, func(i, world int) int { return others[i][world][m] })
		}
		s.GUM, s.Without = r.estimate(chosen), r.estimate(without)
		s.Added = r.estimate(func(world int) float64 { return chosen(world) - without(world) })
		all = append(all, s)
	}
	return all
}

// count adds a benchmark to Lowest, Between or Highest. place is the index of the chosen rate in its grid.
func (s *selection) count(place, rates int) {
	switch place {
	case 0:
		s.Lowest++
	case rates - 1:
		s.Highest++
	default:
		s.Between++
	}
}

// meanGUM returns a method's GUM in each world, averaged over benchmarks. The function rate returns the index of the
// rate. A model that diverged counts as 0.
func (r *Results) meanGUM(method int, rate func(benchmark, world int) int) func(world int) float64 {
	return func(world int) (mean float64) {
		for i := range r.Preset.Benchmarks {
			b := &r.Worlds[world].Benchmarks[i]
			if m := b.Methods[method][rate(i, world)]; !m.Lost() {
				mean += gum("GUM").Mean(m.Evaluation, b.references()) / float64(len(r.Preset.Benchmarks))
			}
		}
		return mean
	}
}

// selectionTable tabulates how rates were chosen.
func (r *Results) selectionTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("How rates were chosen (%s)", r.Preset.Name), Corner: "Method"}
	for _, name := range []string{"lowest", "between", "highest", "GUM", "GUM, world left out", "added"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	count := func(n int) report.Cell { return report.Number(fmt.Sprint(n), float64(n)) }
	ends, rows := 0, 0
	for _, s := range r.selections() {
		t.Rows = append(t.Rows, report.Row{Name: s.Method, Cells: []report.Cell{count(s.Lowest), count(s.Between),
			count(s.Highest), short(s.GUM), short(s.Without), short(s.Added)}})
		ends, rows = ends+s.Lowest+s.Highest, rows+s.Lowest+s.Between+s.Highest
	}
	t.Note = fmt.Sprintf("Rates are chosen on validation clips by the mean GUM over worlds. %d of %d chosen "+
		"rates are the lowest or the highest that was tried, so a wider grid might choose others. GUM is the "+
		"mean over benchmarks on test clips. World left out: each world's rate is chosen by the other worlds, "+
		"so no world both chooses and is judged; all the same, the forget clips, gold and the original take "+
		"part in the choice.", ends, rows)
	return t
}
