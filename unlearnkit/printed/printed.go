// Package printed formats the papers' printed tables. It marks the best values by each paper's criteria.
package printed

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Book holds the printed tables of a paper.
type Book struct {
	Paper   string            // short name of the paper
	Title   string            // title of the paper
	Layouts map[string]Layout // layout of each table; other tables have the zero Layout
}

// Table returns an item of the paper as a table. Tables look as in the paper, and other items become a list of numbers.
func (b Book) Table(item string) (*report.Table, error) {
	cells, err := papers.Open(b.Paper, item)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(item, "table") {
		return b.list(item, cells), nil
	}
	return b.grid(item, cells), nil
}

// title returns the title of an item, such as "TITLE, Table 5 as printed".
func (b Book) title(item string) string {
	word := strings.TrimRight(item, "0123456789")
	name := strings.ToUpper(word[:1]) + word[1:]
	if number := item[len(word):]; number != "" {
		return fmt.Sprintf("%s, %s %s as printed", b.Title, name, number)
	}
	return fmt.Sprintf("%s, %s", b.Title, map[string]string{
		"text": "numbers in the running text", "accuracy": "test accuracies from the authors' repository",
		"evaluator": "values of the official evaluator", "splits": "split sizes", "datasets": "data sets",
		"failuretypes": "failure types",
	}[item])
}

// grid arranges cells in rows and columns.
func (b Book) grid(item string, cells []papers.Cell) *report.Table {
	layout := b.Layouts[item]
	table := &report.Table{Title: b.title(item), Note: layout.Note, Corner: "Row", Corners: layout.Corners}
	rows, columns := map[string]int{}, map[string]int{}
	for _, cell := range cells {
		if _, ok := columns[cell.Column]; !ok {
			columns[cell.Column] = len(table.Columns)
			table.Columns = append(table.Columns,
				report.Column{Name: cmp.Or(layout.Rename[cell.Column], cell.Column),
					Better: layout.better(cell.Column)})
		}
		if _, ok := rows[cell.Row]; !ok {
			rows[cell.Row] = len(table.Rows)
			table.Rows = append(table.Rows,
				report.Row{Name: cell.Row, Levels: cell.Levels(), Group: layout.group(cell),
					Reference: slices.Contains(layout.References, cell.Row)})
		}
	}
	for i := range table.Rows {
		table.Rows[i].Cells = make([]report.Cell, len(table.Columns))
		for j := range table.Rows[i].Cells {
			table.Rows[i].Cells[j] = report.Word("")
		}
	}
	for _, cell := range cells {
		j := columns[cell.Column]
		shown := show(cell)
		if math.IsNaN(shown.Value) && cell.Value != "-" && cell.Value != "?" {
			table.Columns[j].Words = true
		}
		table.Rows[rows[cell.Row]].Cells[j] = shown
		if cell.Row == layout.Target {
			table.Columns[j].Target = shown.Value
		}
	}
	table.Rank()
	return table
}

// list returns a table with one cell per row.
func (b Book) list(item string, cells []papers.Cell) *report.Table {
	table := &report.Table{
		Title:   b.title(item),
		Corner:  "What",
		Columns: []report.Column{{Name: "quantity", Words: true}, {Name: "printed"}, {Name: "where", Words: true}},
	}
	for _, cell := range cells {
		table.Rows = append(table.Rows,
			report.Row{Name: cell.Row, Levels: cell.Levels(),
				Cells: []report.Cell{report.Word(cell.Column), show(cell), report.Word(cell.Source)}})
	}
	return table
}

// show formats a cell with its unit.
func show(cell papers.Cell) report.Cell {
	text := cell.Value
	switch cell.Unit {
	case "":
	case "x":
		text += "×"
	case "%":
		text += "%"
	default:
		text += " " + cell.Unit
	}
	if cell.Spread != "" {
		text += " ± " + cell.Spread
	}
	value, err := cell.Float()
	if err != nil {
		value = math.NaN()
	}
	return report.Number(text, value)
}
