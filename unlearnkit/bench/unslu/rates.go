package unslu

import (
	"slices"
	"strconv"
)

// ratesPart are the models of Figure 1, one a rate; none of a preset without them.
func (r *Results) ratesPart() (part, bool) {
	sweep := r.Preset.Rates
	at := slices.IndexFunc(r.Preset.Benchmarks, func(b Benchmark) bool { return b.Name() == sweep.Benchmark })
	if at < 0 || len(r.Worlds[0].Rates) == 0 {
		return part{}, false
	}
	p := r.part(at, "", Columns(), original, gold)
	for i, rate := range sweep.Method.Rates {
		row := row{Name: rateName(rate)}
		for _, w := range r.Worlds {
			row.Scores = append(row.Scores, w.Rates[i])
		}
		p.rows = append(p.rows, row)
	}
	return p, true
}

func rateName(rate float64) string { return strconv.FormatFloat(rate, 'g', 3, 64) }
