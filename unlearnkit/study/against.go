package study

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Comparer is results that compare the rows of a table with one of them.
type Comparer interface {
	Against(number, row string) (*Comparisons, error)
}

// Comparisons is the rows of a table less one of them, column by column.
type Comparisons struct {
	Title   string   // "Table 5, each row less DELETE (mini)"
	Corners []string // what the levels of the rows' names are
	Digits  int      // behind the point
	All     []certify.Comparison
}

// Table returns the comparisons as a table.
func (c *Comparisons) Table() *report.Table {
	t := certify.ComparisonTable(c.All, c.Digits)
	t.Title, t.Corners = c.Title, c.Corners
	return t
}
