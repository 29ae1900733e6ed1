package remem

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/grid"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

// Against compares every other row of a table with one of them, column by column and world by world. The row is named
// in full, "S/NPO", or by its model, "NPO": then the rows of each size are compared with that of the size. P-values are
// adjusted over all comparisons that come of it.
func (r *Results) Against(number, name string) (all []certify.Comparison, err error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, p := range parts {
		var names, models []string
		for _, row := range p.rows {
			_, model, _ := strings.Cut(row.Name, "/")
			names, models = append(names, row.Name), append(models, model)
		}
		at := max(spelling.Match(name, names), spelling.Match(name, models))
		all = append(all, table.Against(p.rows, p.columns, func(int) int { return at })...)
		known = append(append(known, models...), names...)
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
	t := certify.ComparisonTable(all, 2)
	t.Title = fmt.Sprintf("Table %s, each row less %s (%s)", number, name, r.Preset.Name)
	t.Corner = "Size/Model"
	return t, nil
}
