package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Origin returns the runs and rows that a cell of a table was computed from.
func (r *Results) Origin(number, name, column string) (*study.Origin, error) {
	rows, metrics, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	m := metrics[slices.IndexFunc(metrics, func(m study.Metric) bool { return m.Name == column })]
	if number == "5" {
		rows = append(append(rows, r.base(targetRow, true, m.Target)), r.guestRows()...)
	}
	at := slices.IndexFunc(rows, func(row row) bool { return row.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("table %s has no row %q", number, name)
	}
	row, in := rows[at], m.Column(r.references())
	return &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store,
		How:      "in each world " + m.How() + ", then the mean of the worlds",
		Readings: table.Readings(row, in), Samples: func() []study.Sample { return table.Samples(row, in) }}, nil
}
