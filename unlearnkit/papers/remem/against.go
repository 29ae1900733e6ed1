package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Against compares every other row of a table with one of them, which is named in full or by its model alone.
func (r *Results) Against(number, name string) ([]certify.Comparison, error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	return table.Compare(parts, number, name)
}

// AgainstTable lays the comparisons out.
func (r *Results) AgainstTable(number, name string) (*report.Table, error) {
	all, err := r.Against(number, name)
	if err != nil {
		return nil, err
	}
	t := certify.ComparisonTable(all, 2)
	t.Title = fmt.Sprintf("Table %s, each row less %s (%s)", number, name, r.Preset.Name)
	t.Corner = "Size/Model"
	return t, nil
}
