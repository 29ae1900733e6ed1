package unslu

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// drawSpread describes how a benchmark's MIA and chosen rates depend on the draws of the attack.
type drawSpread struct {
	// Variance of MIA between draws, in the mean over rows: the variance of one model, and of a mean over worlds.
	model, mean float64
	// For each draw, the number of rates that are chosen differently by this draw alone.
	differ []int
}

// spreadOf returns the spread over the rows of a benchmark.
func (r *Results) spreadOf(benchmark int) (s drawSpread) {
	var models, means []float64
	for _, l := range r.allRows(benchmark) {
		mean := make([]float64, attackDraws)
		for world := range r.Worlds {
			m := l.of(&r.Worlds[world].Benchmarks[benchmark])
			if m.Lost() {
				continue
			}
			draws := m.On(Test).Attack.Draws
			models = append(models, stat.Variance(draws, nil))
			for i, v := range draws {
				mean[i] += v / float64(len(r.Worlds))
			}
		}
		means = append(means, stat.Variance(mean, nil))
	}
	s.model, s.mean = stat.Mean(models, nil), stat.Mean(means, nil)
	together := r.Chosen(benchmark, Validation, metric.GUMOnAccuracy)
	for draw := range attackDraws {
		differ := 0
		alone := r.chosen(choice{benchmark, attackOn{Validation, draw}, metric.GUMOnAccuracy, everyWorld})
		for m, rate := range alone {
			if rate != together[m] {
				differ++
			}
		}
		s.differ = append(s.differ, differ)
	}
	return s
}

// draws tabulates the spread of every benchmark.
func (r *Results) draws() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("The draws of the attack (%s)", r.Preset.Name), Corner: "Benchmark"}
	for _, name := range []string{"SD of one MIA", "SD of a mean", "SD of one MIA, all draws", "SD of a mean, all draws",
		"rates", "rates that differ"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	deviation := func(variance float64) report.Cell {
		return report.Number(fmt.Sprintf("%.4f", math.Sqrt(variance)), math.Sqrt(variance))
	}
	add := func(levels []string, s drawSpread, rates int) {
		mean := 0.
		for _, n := range s.differ {
			mean += float64(n) / attackDraws
		}
		t.Rows = append(t.Rows, report.Named(levels...).With(deviation(s.model), deviation(s.mean),
			deviation(s.model/attackDraws), deviation(s.mean/attackDraws), report.Number(fmt.Sprint(rates), float64(rates)),
			report.Number(fmt.Sprintf("%.1f", mean), mean)))
	}
	all, rates := drawSpread{differ: make([]int, attackDraws)}, 0
	for i, b := range r.Preset.Benchmarks {
		s := r.spreadOf(i)
		add(b.levels(), s, len(b.Methods))
		all.model += s.model / float64(len(r.Preset.Benchmarks))
		all.mean += s.mean / float64(len(r.Preset.Benchmarks))
		for draw, n := range s.differ {
			all.differ[draw] += n
		}
		rates += len(b.Methods)
	}
	add([]string{"all"}, all, rates)
	t.Note = fmt.Sprintf("MIA averages %d draws of the attack, each with ten splits as in the paper. SD of one MIA: the "+
		"standard deviation between draws of one model's MIA on test clips; of a mean: of a row's mean over worlds; "+
		"both also for the mean of all draws. Rates that differ: how many of a benchmark's chosen rates one draw alone "+
		"would choose otherwise, in the mean over draws; for all benchmarks together between %d and %d of %d.",
		attackDraws, slices.Min(all.differ), slices.Max(all.differ), rates)
	return t
}
