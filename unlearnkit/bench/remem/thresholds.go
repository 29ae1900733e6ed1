package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// thresholdTable lays out which verdicts other thresholds give.
func (r *Results) thresholdTable() *report.Table {
	verdictsAt := func(t thresholds) (names []string, all []certify.Verdict) {
		for _, a := range r.verdicts(t) {
			names, all = append(names, a.Size+"/"+a.Method), append(all, a.Verdict)
		}
		return names, all
	}
	names, own := verdictsAt(ownThresholds)
	var rows []bench.Sensitivity
	for _, s := range []struct {
		name string
		thresholds
	}{
		{"left .1", thresholds{.1, LeastKept, MostGain}}, {"left .3", thresholds{.3, LeastKept, MostGain}},
		{"kept .7", thresholds{MostLeft, .7, MostGain}}, {"kept .9", thresholds{MostLeft, .9, MostGain}},
		{"gain .02", thresholds{MostLeft, LeastKept, .02}}, {"gain .1", thresholds{MostLeft, LeastKept, .1}},
	} {
		_, all := verdictsAt(s.thresholds)
		rows = append(rows, bench.Sensitivity{Name: s.name, Verdicts: all})
	}
	t := bench.SensitivityTable(names, own, rows)
	t.Title = fmt.Sprintf("Verdicts by other thresholds (%s)", r.Preset.Name)
	t.Note = fmt.Sprintf("n: %s. As used: up to %g left is gone, less than %g kept is damaged, a gain below %g "+
		"is none. "+
		"What may be left mirrors what has to be kept; rates were chosen by what is kept. %s", r.count(), MostLeft,
		LeastKept, MostGain, t.Note)
	return t
}
