package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

// Against compares every other row of a table with one of them, column by column, on the examples that both have. The
// row is named in full, "DELETE/5x", or by its method, "DELETE": then rows are compared with it at their own budget.
// P-values are adjusted over all comparisons that come of it.
func (r *Results) Against(table, name string) ([]certify.Comparison, error) {
	rows, columns, err := r.rowsOf(table)
	if err != nil {
		return nil, err
	}
	named := func(full string) int {
		return slices.IndexFunc(rows, func(row row) bool { return strings.EqualFold(row.name, full) })
	}
	exact := named(name)
	var all []certify.Comparison
	for i, row := range rows {
		against := exact
		if against < 0 {
			_, budget, _ := strings.Cut(row.name, "/")
			against = named(name + "/" + budget)
		}
		if against < 0 || against == i {
			continue
		}
		for _, c := range columns {
			other := c.repeated(r.outcomes(rows[against], c))
			comparison := certify.Compare(c.repeated(r.outcomes(row, c)), other)
			comparison.Row, comparison.Column, comparison.Against = row.name, c.Name, rows[against].name
			all = append(all, comparison)
		}
	}
	if len(all) == 0 {
		return nil, noRow(table, name, rows)
	}
	certify.AdjustComparisons(all)
	return all, nil
}

// noRow names the rows that there are.
func noRow(table, name string, rows []row) error {
	var known []string
	for _, row := range rows {
		method, _, _ := strings.Cut(row.name, "/")
		for _, candidate := range []string{method, row.name} {
			if !slices.Contains(known, candidate) {
				known = append(known, candidate)
			}
		}
	}
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Errorf("table %s has no row %q to compare others with; do you mean %q?", table, name, near)
	}
	return fmt.Errorf("table %s has no row %q to compare others with; it has %s", table, name, strings.Join(known, ", "))
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
