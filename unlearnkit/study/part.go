package study

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Part is a group of a table's rows that share their targets.
type Part struct {
	Rows    []Row
	Columns []Column
}

// Compare compares every row of a table's parts with one named row, column by column and repetition by repetition. name
// is a full name, "FSC/HuBERT/NG", or a last level, "NG". For a last level, each part is compared with its own row of
// this name. P-values are adjusted over all these comparisons.
func (g Grid) Compare(parts []Part, number, name string) (all []certify.Comparison, err error) {
	var known []string
	for _, p := range parts {
		var names, last []string
		for _, row := range p.Rows {
			parts := report.Levels(row.Name, row.Levels)
			names, last = append(names, row.Name), append(last, parts[len(parts)-1])
		}
		at := max(spelling.Match(name, names), spelling.Match(name, last))
		all = append(all, g.Against(p.Rows, p.Columns, func(int) int { return at })...)
		known = append(append(known, last...), names...)
	}
	if len(all) == 0 {
		return nil, NoRow(number, name, known)
	}
	certify.AdjustComparisons(all)
	return all, nil
}

// Find looks for a cell in a table's parts and returns its row and column.
func (g Grid) Find(parts []Part, number, name, column string) (found Row, in Column, err error) {
	for _, p := range parts {
		for _, row := range p.Rows {
			if row.Name == name {
				at := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == column })
				return row, p.Columns[at], nil
			}
		}
	}
	return found, in, fmt.Errorf("table %s has no row %q", number, name)
}
