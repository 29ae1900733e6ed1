package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Origin says what a cell of a table was computed from.
func (r *Results) Origin(number, name, columnName string) (*bench.Origin, error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for _, row := range p.rows {
			if row.Name != name {
				continue
			}
			at := slices.IndexFunc(p.columns, func(c certified) bool { return c.Name == columnName })
			how := "in each world " + columnsOf(number)[at].how + ", then the mean of the worlds"
			return &bench.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store, How: how,
				Readings: table.Readings(row, p.columns[at])}, nil
		}
	}
	return nil, fmt.Errorf("table %s has no row %q", number, name)
}

// TraceTables shows what a cell was computed from.
func (r *Results) TraceTables(number, row, column string) ([]*report.Table, error) {
	return bench.TraceTables(r, number, row, column)
}
