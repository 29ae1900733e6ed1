package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// thresholdTable tabulates the verdicts for several thresholds, on the ratios below ψ = .55.
func (r *Results) thresholdTable() (*report.Table, error) {
	below, _, _ := r.Preset.areas()
	t := study.SensitivityTable(ownThresholds, "alone", func(t study.Thresholds) (names []string,
		all []certify.Verdict) {
		for _, v := range r.verdicts(below, t) {
			if v.group.erased == "" {
				continue // skip verdicts on methods as a whole
			}
			names, all = append(names, v.Name), append(all, v.Verdict)
		}
		return names, all
	})
	t.Title = fmt.Sprintf("Verdicts on concepts by other thresholds, below ψ .55 (%s)", r.Preset.Name)
	t.Note = fmt.Sprintf("n: %s. As used: a concept is gone if the excess over gold is at most %g, a model is "+
		"damaged if it keeps less than %g, and a gain below %g counts as none. The settings of the methods had "+
		"to meet the first two. %s",
		r.trainingsText(), mostConcept, leastRetained, attack.GainMargin, t.Note)
	return t, nil
}
