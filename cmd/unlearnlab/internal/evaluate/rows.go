package evaluate

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// rowsOf returns the names of a guest's rows.
func rowsOf(cells []certify.Cell, name string) (rows []string) {
	for _, c := range cells {
		if c.Guest && strings.Contains(c.Row, name+" (guest") && !slices.Contains(rows, c.Row) {
			rows = append(rows, c.Row)
		}
	}
	return rows
}

func cellsIn(cells []certify.Cell, rows []string) []certify.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c certify.Cell) bool { return !slices.Contains(rows, c.Row) })
}

// showTable prints the named rows of a certified table below the table's reference rows.
func (e *evaluation) showTable(r study.Results, name string, rows []string) error {
	t, err := r.Table(name, true)
	if err != nil {
		return err
	}
	shown := *t
	shown.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(row report.Row) bool {
		return !row.Reference && !slices.Contains(rows, row.Name)
	})
	view := cli.ViewOf(e.out)
	view.Numbers = true
	return cli.ShowTableIn(e.out, &shown, e.format, view)
}
