package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// addOutcomes adds a mean over worlds to a panel. of returns the outcomes in one world.
func addOutcomes(panel *certify.Panel, name string, family certify.Family, worlds int,
	of func(world int) []study.Outcome) {
	samples := make([]certify.Sample, worlds)
	for i := range samples {
		for _, o := range of(i) {
			samples[i].Values = append(samples[i].Values, o.Value)
			samples[i].Units = append(samples[i].Units, o.Unit)
		}
	}
	panel.Add(name, certify.Repeated(Worlds, family, samples))
}

// signed formats a difference with its sign and its interval.
func signed(e certify.Estimate) report.Cell {
	return report.Interval("%+.3f", e.Value, e.Lo, e.Hi)
}

// ranged formats a value with its interval.
func ranged(e certify.Estimate) report.Cell {
	return report.Interval("%.3f", e.Value, e.Lo, e.Hi)
}

// differenceCell formats the p-value for the hypothesis that a difference is zero.
func differenceCell(e certify.Estimate) report.Cell {
	p := e.TwoSided(0)
	return report.Number(certify.PText(p), p)
}

// plain formats a number with three decimals.
func plain(value float64) report.Cell { return report.Number(fmt.Sprintf("%.3f", value), value) }

// byItself describes intervals and p-values that are not corrected for multiple comparisons.
func (r *Results) byItself() string {
	return fmt.Sprintf("each 95 %% interval and p is uncorrected, by Student's t over %s.", Worlds.Count(r.Seeds()))
}
