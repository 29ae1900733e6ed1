package unslu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// repeated returns outcomes with one number per world. It skips worlds in which the number is NaN.
func (r *Results) repeated(of func(world int) float64) certify.Outcomes {
	samples := make([]certify.Sample, len(r.Worlds))
	for world := range r.Worlds {
		if v := of(world); !math.IsNaN(v) {
			samples[world] = certify.Sample{Values: []float64{v}, Units: []int{0}}
		}
	}
	return certify.Repeated(Worlds, oneModel, samples)
}

// estimate returns the mean of a number over worlds, with its interval.
func (r *Results) estimate(of func(world int) float64) certify.Cell {
	return certify.Alone(r.repeated(of))
}

// withoutSpread explains the intervals of means that are equal in every world.
const withoutSpread = " A mean that is equal in every world has the interval of a share of zero in as many " +
	"worlds: that these worlds agree does not mean that others would."

// short formats an estimate with three decimals, and with its interval if it has one.
func short(c certify.Cell) report.Cell {
	return report.Interval("%.3f", c.Estimate, c.Lo, c.Hi)
}

// score returns a row's metric as a function of the world. The metric is NaN if the model diverged.
func (r *Results) score(benchmark int, l line, m study.Metric) func(world int) float64 {
	return func(world int) float64 {
		b := &r.Worlds[world].Benchmarks[benchmark]
		return m.Mean(l.of(b).Evaluation, b.references())
	}
}
