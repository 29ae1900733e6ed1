package study

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Part holds rows of a table that share their targets.
type Part[M any] struct {
	Rows    []Row[M]
	Columns []Column[M]
}

// Compare compares every row of a table's parts with one row, column by column and repetition by repetition. The row is
// named in full, "FSC/HuBERT/NG", or by its last level, "NG". If the name is a last level, each part is compared with
// its own row of this name. P-values are adjusted over all these comparisons.
func (g Grid[M]) Compare(parts []Part[M], number, name string) (all []certify.Comparison, err error) {
	var known []string
	for _, p := range parts {
		var names, last []string
		for _, row := range p.Rows {
			parts := row.Parts()
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

// RowNamed returns the row with a name in the parts of a table, or the zero value if the name is unknown.
func RowNamed[M any](parts []Part[M], name string) (found Row[M]) {
	for _, p := range parts {
		for _, row := range p.Rows {
			if row.Name == name {
				return row
			}
		}
	}
	return found
}

// Find returns the readings of a cell in a table's parts, and the index of its column.
func (g Grid[M]) Find(parts []Part[M], number, name, column string) (readings []Reading, at int, err error) {
	for _, p := range parts {
		for _, row := range p.Rows {
			if row.Name == name {
				at = slices.IndexFunc(p.Columns, func(c Column[M]) bool { return c.Name == column })
				return g.Readings(row, p.Columns[at]), at, nil
			}
		}
	}
	return nil, 0, fmt.Errorf("table %s has no row %q", number, name)
}
