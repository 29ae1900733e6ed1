package unslu

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Origin returns what a cell of a table was computed from.
func (r *Results) Origin(number, name, columnName string) (*study.Origin, error) {
	parts, err := r.guestParts(number)
	if err != nil {
		return nil, err
	}
	row, readings, at, err := table.Find(parts, number, name, columnName)
	if err != nil {
		return nil, err
	}
	m := columnsOf(number)[at]
	how := "in each world " + m.How() + ", then the mean of the worlds"
	if _, method := apart(row.Levels); method == aheadTitle && m.Fixed != nil { // uses seconds
		how = strings.TrimSuffix(how+"."+r.aheadNote(), ".")
	}
	return &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store, How: how, Readings: readings}, nil
}
