package evaluate

import (
	"encoding/json"
	"fmt"
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

// shownRows returns the named rows, and the reference rows of the same parts.
func shownRows(all []report.Row, names, parts []string) []report.Row {
	partOf := func(row string) string {
		i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(row, part+"/") })
		if i < 0 {
			return ""
		}
		return parts[i]
	}
	var own []string
	for _, name := range names {
		own = append(own, partOf(name))
	}
	return slices.DeleteFunc(slices.Clone(all), func(row report.Row) bool {
		if row.Reference {
			return !slices.Contains(own, partOf(row.Name))
		}
		return !slices.Contains(names, row.Name)
	})
}

// tableCell is a cell of a table, which its JSON names first.
type tableCell struct {
	table string
	certify.Cell
}

func (c tableCell) MarshalJSON() ([]byte, error) {
	table, err := json.Marshal(c.table)
	if err != nil {
		return nil, err
	}
	cell, err := c.Cell.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"table":%s,%s`, table, cell[1:]), nil
}

// cellsIn returns the cells of a table in the named rows.
func cellsIn(table string, cells []certify.Cell, rows []string) (in []tableCell) {
	for _, c := range cells {
		if slices.Contains(rows, c.Row) {
			in = append(in, tableCell{table, c})
		}
	}
	return in
}

// showTable prints the named rows of a certified table below the reference rows of the same parts.
func (e *evaluation) showTable(r study.Results, name string, rows []string) error {
	t, err := r.Table(name, true)
	if err != nil {
		return err
	}
	shown := *t
	shown.Rows = shownRows(t.Rows, rows, e.Host.Parts)
	view := cli.ViewOf(e.out)
	view.Numbers = true
	return cli.ShowTableIn(e.out, &shown, e.format.Name, view)
}
