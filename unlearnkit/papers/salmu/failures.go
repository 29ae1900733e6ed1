package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Failure holds the failure type of a method at a budget, computed from the means over worlds.
type Failure struct {
	Method string
	Budget int
	metric.Failure
}

// Failures assigns the methods at a budget to the failure types of the paper.
func (r *Results) Failures(budget int) []Failure {
	of := func(labels ...study.Label) metric.FailureScores {
		mean := map[string]float64{}
		for _, m := range r.Preset.Columns() {
			mean[m.Name] = r.mean(m, labels...)
		}
		return metric.FailureScores{RetFail: mean["RetFail"], AssocStr: mean["AssocStr"], GenKnow: mean["GenKnow"],
			InterIdSim: mean["InterIdSim"], IntraIdSim: mean["IntraIdSim"]}
	}
	clean, compromised := of(named(clean)...), of(named(compromised)...)
	var failures []Failure
	for _, m := range r.Preset.Methods {
		for _, b := range m.Budgets {
			if b != budget && !m.Once {
				continue
			}
			unlearned := of(m.judged(ofMethods, b)...)
			failures = append(failures,
				Failure{m.Title, b, metric.DiagnoseFailure(unlearned, clean, compromised,
					metric.DefaultFailureThresholds())})
		}
	}
	return failures
}
