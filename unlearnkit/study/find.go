package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Unknown is the error for an unknown table, row or column. Its message suggests known names.
type Unknown struct{ says string }

func (u *Unknown) Error() string { return u.says }

func unknown(format string, arguments ...any) error {
	return &Unknown{fmt.Sprintf(format, arguments...)}
}

// find returns the cell of a row and a column. It ignores case where the name stays unambiguous.
func find(cells []certify.Cell, table, row, column string) (certify.Cell, error) {
	if len(cells) == 0 {
		return certify.Cell{}, unknown("table %s has only words, and no cell that is computed from scores", table)
	}
	var rows, columns []string
	for _, cell := range cells {
		if !slices.Contains(rows, cell.Row) {
			rows = append(rows, cell.Row)
		}
		if !slices.Contains(columns, cell.Column) {
			columns = append(columns, cell.Column)
		}
	}
	atRow, atColumn := spelling.Match(row, rows), spelling.Match(column, columns)
	switch several := budgets(row, cells); {
	case atRow < 0 && len(several) > 0:
		return certify.Cell{}, unknown("table %s has %s at several budgets; name one of %s", table, row,
			strings.Join(several, ", "))
	case atRow < 0:
		return certify.Cell{}, unknown("table %s has no row %q; %s", table, row, hint(row, rows))
	case atColumn < 0:
		return certify.Cell{}, unknown("table %s has no column %q; %s", table, column, hint(column, columns))
	}
	at := slices.IndexFunc(cells, func(cell certify.Cell) bool {
		return cell.Row == rows[atRow] && cell.Column == columns[atColumn]
	})
	if at < 0 {
		return certify.Cell{}, unknown("table %s has no %s of %s", table, columns[atColumn], rows[atRow])
	}
	return cells[at], nil
}

// budgets returns the rows of the method called name, one per training budget. It returns nil if name is not a bare
// method name.
func budgets(name string, cells []certify.Cell) (several []string) {
	for _, cell := range cells {
		if len(cell.Levels) > 1 && strings.EqualFold(cell.Levels[0], name) && !slices.Contains(several, cell.Row) {
			several = append(several, cell.Row)
		}
	}
	return several
}

// hint suggests the nearest of the known names, or lists all of them if none is near.
func hint(name string, names []string) string {
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf("do you mean %q?", near)
	}
	return "it has " + strings.Join(names, ", ")
}
