package concealment

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares every other row of a table with the row called name, on the training seeds and noises that both rows
// have. Case does not matter. P-values are adjusted over all comparisons.
func (r *Results) Against(table, name string) (*study.Comparisons, error) {
	rows := r.rowsOf(table)
	if titles[table] == "" || table == "4" {
		return nil, fmt.Errorf("there are no scores to compare in a table %q; tables 1, 2 and 3 have some", table)
	}
	if len(rows) == 0 {
		return nil, r.noTable(table)
	}
	var known []string
	for _, row := range rows {
		known = append(known, row.Prompt.Paper)
	}
	against := spelling.Match(name, known)
	if against < 0 {
		if near := spelling.Nearest(name, known); near != "" {
			return nil, fmt.Errorf("table %s has no prompt %q; do you mean %q?", table, name, near)
		}
		return nil, fmt.Errorf("table %s has no prompt %q; it has %s", table, name, strings.Join(known, ", "))
	}
	var all []certify.Comparison
	for i, row := range rows {
		if i == against {
			continue
		}
		for _, c := range r.Preset.Columns() {
			own, _ := r.outcomes(c, row)
			other, _ := r.outcomes(c, rows[against])
			comparison := certify.Compare(own, other)
			comparison.Row, comparison.Column, comparison.Against = known[i], c.name(), known[against]
			all = append(all, comparison)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("table %s has no other prompt than %q at preset %s", table, name, r.Preset.Name)
	}
	certify.AdjustComparisons(all)
	return &study.Comparisons{Title: fmt.Sprintf("Table %s, each prompt less %q (%s)", table, known[against],
		r.Preset.Name), Corners: []string{"Prompt"}, Digits: 2, All: all}, nil
}
