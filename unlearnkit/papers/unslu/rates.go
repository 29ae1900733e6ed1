package unslu

import (
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// ratesPart are the models of Figure 1, one a rate; none of a preset without them.
func (r *Results) ratesPart() (part, bool) {
	sweep := r.Preset.Rates
	at := r.Preset.place(sweep.Benchmark)
	if at < 0 || len(r.Worlds[0].Rates) == 0 {
		return part{}, false
	}
	p := r.part(at, nil, Columns(), original, gold)
	for i, rate := range sweep.Method.Rates {
		row := row{Name: rateName(rate)}
		for _, w := range r.Worlds {
			row.Scores = append(row.Scores, w.Rates[i])
		}
		p.Rows = append(p.Rows, row)
	}
	return p, true
}

func rateName(rate float64) string { return strconv.FormatFloat(rate, 'g', 3, 64) }

// Curve is a score over learning rates, beside those of the models that unlearn nothing.
type Curve struct {
	Column         string
	Original, Gold float64
	Rates          []float64
	Cells          []certify.Cell // of each rate; not a number where the method diverged in every world
}

// Curves are those of Figure 1; none of a preset without it.
func (r *Results) Curves() (curves []Curve) {
	p, swept := r.ratesPart()
	if !swept {
		return nil
	}
	for _, c := range []Column{f1Test(), f1Forget(), mia()} {
		at := slices.IndexFunc(p.Columns, func(o certified) bool { return o.Name == c.Name })
		cells := table.Cells(p.Rows, []certified{p.Columns[at]})
		curves = append(curves, Curve{Column: c.Name, Original: cells[0].Estimate, Gold: cells[1].Estimate,
			Rates: r.Preset.Rates.Method.Rates, Cells: cells[2:]})
	}
	return curves
}
