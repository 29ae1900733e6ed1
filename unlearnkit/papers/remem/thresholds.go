package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// thresholdTable tabulates the verdicts for several thresholds.
func (r *Results) thresholdTable() *report.Table {
	t := study.SensitivityTable(ownThresholds, "left", func(t study.Thresholds) (names []string,
		all []certify.Verdict) {
		for _, a := range r.verdicts(t) {
			names, all = append(names, a.Size+"/"+a.Method), append(all, a.Verdict)
		}
		return names, all
	})
	t.Title = fmt.Sprintf("Verdicts by other thresholds (%s)", r.Preset.Name)
	t.Note = fmt.Sprintf("n: %s. As used: a model that leaves at most %g has forgotten, one that keeps less "+
		"than %g is damaged, and a gain below %g counts as none. The first threshold mirrors the second; rates "+
		"were chosen by what is kept. %s", r.count(), MostLeft,
		LeastKept, MostGain, t.Note)
	return t
}
