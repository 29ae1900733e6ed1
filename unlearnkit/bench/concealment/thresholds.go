package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// ThresholdTable lays out which verdicts other thresholds give, below ψ = .55.
func (r *Results) ThresholdTable() (*report.Table, error) {
	below, _, _ := r.Preset.areas()
	verdictsAt := func(t thresholds) (names []string, all []certify.Verdict) {
		for _, v := range r.verdicts(below, t) {
			if v.group.erased == "" {
				continue // a method as a whole
			}
			names, all = append(names, v.Name), append(all, v.Verdict)
		}
		return names, all
	}
	names, own := verdictsAt(ownThresholds)
	var rows []bench.Sensitivity
	const gain = attack.GainMargin
	for _, s := range []struct {
		name string
		thresholds
	}{
		{"alone .1", thresholds{.1, leastRetained, gain}}, {"alone .3", thresholds{.3, leastRetained, gain}},
		{"kept .7", thresholds{mostConcept, .7, gain}}, {"kept .9", thresholds{mostConcept, .9, gain}},
		{"gain .02", thresholds{mostConcept, leastRetained, .02}},
		{"gain .1", thresholds{mostConcept, leastRetained, .1}},
	} {
		_, all := verdictsAt(s.thresholds)
		rows = append(rows, bench.Sensitivity{Name: s.name, Verdicts: all})
	}
	t := bench.SensitivityTable(names, own, rows)
	t.Title = fmt.Sprintf("Verdicts on concepts by other thresholds, below ψ .55 (%s)", r.Preset.Name)
	t.Note = fmt.Sprintf("n: %s. As used: an excess of up to %g alone is gone, less than %g kept is damaged, a "+
		"gain below "+
		"%g is none. The first two are what the settings of the methods had to reach. %s",
		TrainingSeeds.Count(r.Preset.Seeds), mostConcept, leastRetained, gain, t.Note)
	return t, nil
}
