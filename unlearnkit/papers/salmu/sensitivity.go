package salmu

import (
	"cmp"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// RatePoint holds the cell of a method at one learning rate.
type RatePoint struct {
	Rate float64
	certify.Cell
}

// RateCurve holds one score of a method at several learning rates.
type RateCurve struct {
	Method, Column string
	Target         float64
	Points         []RatePoint
}

// sensitivityBudget is the number of passes in Figure 8.
const sensitivityBudget = 5

// sensitivity returns the data of Figure 8: RetFail and GenKnow of two methods at several learning rates, after five
// passes.
func (r *Results) sensitivity() []RateCurve {
	var curves []RateCurve
	for _, c := range r.Preset.Columns() {
		if c.Name != "RetFail" && c.Name != "GenKnow" {
			continue
		}
		for _, m := range r.Preset.Rates {
			at := r.set.Row([]string{rowName(m, sensitivityBudget)}, false, m.judged(ofRates, sensitivityBudget)...)
			cell := r.certify([]study.Row{at}, []study.Metric{c})[0]
			curve := slices.IndexFunc(curves, func(k RateCurve) bool {
				return k.Method == m.Title && k.Column == c.Name
			})
			if curve < 0 {
				curve = len(curves)
				curves = append(curves, RateCurve{Method: m.Title, Column: c.Name, Target: cell.Target})
			}
			curves[curve].Points = append(curves[curve].Points, RatePoint{m.Values["rate"], cell})
		}
	}
	for _, k := range curves {
		slices.SortFunc(k.Points, func(a, b RatePoint) int { return cmp.Compare(a.Rate, b.Rate) })
	}
	return curves
}
