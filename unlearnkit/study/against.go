package study

import (
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
