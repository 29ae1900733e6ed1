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

// Against compares every other row of a table with the row called name, on the examples that both rows have. The name
// is complete, such as "DELETE/5x", or only a method, such as "DELETE"; each row is then compared with the method at
// its own budget. Case does not matter. P-values are adjusted over the study's own comparisons, and separately for each
// imported model.
func (r *Results) Against(number, name string) (*study.Comparisons, error) {
	rows, metrics, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	if number == "5" {
		rows = append(rows, r.guestRows()...)
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
		return named(strings.Join(append([]string{name}, report.Levels(rows[i].Name, rows[i].Levels)[1:]...), "/"))
	})
	if len(all) == 0 {
		var known []string
		for _, row := range rows {
			known = append(known, report.Levels(row.Name, row.Levels)[0], row.Name)
		}
		return nil, study.NoRow(number, name, known)
	}
	title := fmt.Sprintf("Table %s, each row less %s", number, all[0].Against)
	if slices.ContainsFunc(all, func(c certify.Comparison) bool { return c.Against != all[0].Against }) {
		title = fmt.Sprintf("Table %s, each row less %s at the same budget", number, all[0].AgainstLevels[0])
	}
	return &study.Comparisons{Title: fmt.Sprintf("%s (%s)", title, r.Preset.Name), Corners: []string{"Method"},
		Digits: 3, All: all}, nil
}
