package unslu

import (
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// ratesPart returns the rows of Figure 1, one for each rate. It returns false if the preset lacks the figure.
func (r *Results) ratesPart() (part, bool) {
	sweep := r.Preset.Rates
	at := r.Preset.place(sweep.Benchmark)
	if at < 0 || len(r.Worlds[0].Rates) == 0 {
		return part{}, false
	}
	p := r.part(at, nil, mainColumns(), original, gold)
	for i, rate := range sweep.Method.Rates {
		var models []*study.Evaluation
		for _, w := range r.Worlds {
			models = append(models, w.Rates[i].Evaluation)
		}
		p.Rows = append(p.Rows, study.RowOf([]string{rateName(rate)}, false, models...))
	}
	return p, true
}

func rateName(rate float64) string { return strconv.FormatFloat(rate, 'g', 3, 64) }

// Curve holds a score at several learning rates, and the scores of the models that unlearn nothing.
type Curve struct {
	Column         string
	Original, Gold float64
	Rates          []float64
	Cells          []certify.Cell // one cell for each rate; NaN if the method diverged in every world
}

// Curves returns the curves of Figure 1, or nil if the preset lacks the figure.
func (r *Results) Curves() (curves []Curve) {
	p, swept := r.ratesPart()
	if !swept {
		return nil
	}
	for _, m := range []study.Metric{f1(Test), f1(Forget), mia(Test)} {
		at := slices.IndexFunc(p.Columns, func(c study.Column) bool { return c.Name == m.Name })
		cells := table.Cells(p.Rows, p.Columns[at:at+1])
		curves = append(curves, Curve{Column: m.Name, Original: cells[0].Estimate, Gold: cells[1].Estimate,
			Rates: r.Preset.Rates.Method.Rates, Cells: cells[2:]})
	}
	return curves
}
