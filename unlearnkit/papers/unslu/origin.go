package unslu

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Origin returns the runs and rows that a cell of a table was computed from.
func (r *Results) Origin(number, name, columnName string) (*study.Origin, error) {
	parts, err := r.guestParts(number)
	if err != nil {
		return nil, err
	}
	row, column, err := table.Find(parts, number, name, columnName)
	if err != nil {
		return nil, err
	}
	how := "in each world " + column.How() + ", then the mean of the worlds"
	if _, method := apart(row.Levels); method == aheadTitle && column.Fixed != nil { // GUM or speed-up, which depend on CF-k's seconds
		how = strings.TrimSuffix(how+"."+r.aheadNote(), ".")
	}
	return &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store, How: how,
		Readings: table.Readings(row, column), Samples: func() []study.Sample { return table.Samples(row, column) }}, nil
}
