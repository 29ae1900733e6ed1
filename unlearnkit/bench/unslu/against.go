package unslu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/grid"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

// Against compares every other row of a table with one of them, column by column and world by world. The row is named
// in full, "FSC/HuBERT/NG", or by its method, "NG": then the rows of every benchmark are compared with that method's
// there. P-values are adjusted over all comparisons that come of it.
func (r *Results) Against(number, name string) (all []certify.Comparison, err error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, p := range parts {
		var names, methods []string
		for _, row := range p.rows {
			_, method := cut(row.Name)
			names, methods = append(names, row.Name), append(methods, method)
		}
		at := max(spelling.Match(name, names), spelling.Match(name, methods))
		all = append(all, table.Against(p.rows, p.columns, func(int) int { return at })...)
		known = append(append(known, methods...), names...)
	}
	if len(all) == 0 {
		return nil, grid.NoRow(number, name, known)
	}
	certify.AdjustComparisons(all)
	return all, nil
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
