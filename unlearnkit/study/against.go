package study

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Comparer is implemented by results that can compare all rows of a table with one of the rows.
type Comparer interface {
	Against(number, row string) (*Comparisons, error)
}

// Comparisons holds the differences between one row of a table and the other rows, column by column.
type Comparisons struct {
	Title   string   // title, such as "Table 5, each row less DELETE (mini)"
	Corners []string // headings of the columns with the rows' names
	Digits  int      // digits after the decimal point
	All     []certify.Comparison
}

// Table returns the comparisons as a table.
func (c *Comparisons) Table() *report.Table {
	t := certify.ComparisonTable(c.All, c.Digits)
	t.Title, t.Corners = c.Title, c.Corners
	return t
}

// AgainstNamed compares every other row with the row called name, on the examples that both have. The name is complete,
// such as "delete/5x", or only its first level, such as "delete"; each row is then compared with the row of this name
// whose other levels are its own. Case does not matter. P-values are corrected over all comparisons.
func (g Grid) AgainstNamed(rows []Row, columns []Column, table, name string) (*Comparisons, error) {
	var names, known []string
	for _, row := range rows {
		names = append(names, row.Name)
		known = append(known, report.Levels(row.Name, row.Levels)[0], row.Name)
	}
	exact := spelling.Match(name, names)
	all := g.Against(rows, columns, func(i int) int {
		if exact >= 0 {
			return exact
		}
		return spelling.Match(strings.Join(append([]string{name}, report.Levels(rows[i].Name, rows[i].Levels)[1:]...), "/"), names)
	})
	if len(all) == 0 {
		return nil, NoRow(table, name, known)
	}
	found := &Comparisons{Title: fmt.Sprintf("Table %s, each row less %s", table, all[0].Against),
		Corners: []string{"Model"}, Digits: 3, All: all}
	for _, c := range all {
		if c.Against != all[0].Against {
			found.Title = fmt.Sprintf("Table %s, each row less %s at the same budget", table, all[0].AgainstLevels[0])
		}
	}
	return found, nil
}
