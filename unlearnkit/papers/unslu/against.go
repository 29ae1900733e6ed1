package unslu

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
	_, method := cut(all[0].Against)
	t := certify.ComparisonTable(all, 3)
	t.Title = fmt.Sprintf("Table %s, each row less %s (%s)", number, method, r.Preset.Name)
	t.Corner = "Method"
	return t, nil
}
