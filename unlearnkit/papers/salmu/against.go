package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares every other row of a table with one of them, column by column, on the examples that both have. The
// row is named in full, "DELETE/5x", or by its method, "DELETE": then rows are compared with it at their own budget.
// Case does not count. P-values are adjusted over all comparisons that come of it.
func (r *Results) Against(number, name string) ([]certify.Comparison, error) {
	rows, metrics, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Name)
	}
	named := func(full string) int { return spelling.Match(full, names) }
	exact := named(name)
	all := table.Against(rows, study.Columns(metrics, r.references()), func(i int) int {
		if exact >= 0 {
			return exact
		}
		_, budget, _ := strings.Cut(rows[i].Name, "/")
		return named(name + "/" + budget)
	})
	if len(all) == 0 {
		var known []string
		for _, row := range names {
			method, _, _ := strings.Cut(row, "/")
			known = append(known, method, row)
		}
		return nil, study.NoRow(number, name, known)
	}
	return all, nil
}

// AgainstTable lays the comparisons out.
func (r *Results) AgainstTable(table, name string) (*report.Table, error) {
	all, err := r.Against(table, name)
	if err != nil {
		return nil, err
	}
	t := certify.ComparisonTable(all, 3)
	t.Title = fmt.Sprintf("Table %s, each row less %s (%s)", table, all[0].Against, r.Preset.Name)
	if slices.ContainsFunc(all, func(c certify.Comparison) bool { return c.Against != all[0].Against }) {
		method, _, _ := strings.Cut(all[0].Against, "/")
		t.Title = fmt.Sprintf("Table %s, each row less %s at the same budget (%s)", table, method, r.Preset.Name)
	}
	t.Corner = "Method"
	return t, nil
}
