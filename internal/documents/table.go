package main

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/excerpt"
)

// markdown returns a command's output as Markdown.
func (c *commands) markdown(line string) (string, error) { return c.of(line + " --format md") }

// split returns the cells of a line in a Markdown table, or nil for any other line.
func split(printed string) []string {
	if !strings.HasPrefix(printed, "|") {
		return nil
	}
	cells := strings.Split(strings.Trim(bar.Replace(strings.TrimSpace(printed)), "|"), "|")
	for i := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", `\|`)
	}
	return cells
}

// row is a row of a table. Its name is its first cell, or the first two cells if the second column holds text, such as
// "S/NPO".
type row struct {
	name  string
	cells map[string]string
}

var (
	plain = strings.NewReplacer("**", "", "<u>", "", "</u>", "", `\*`, "*", `\|`, "|")
	bar   = strings.NewReplacer(`\|`, "\x00")
)

// table returns the columns and rows of the Markdown table in a command's output.
func (c *commands) table(line string) (columns []string, rows []row, err error) {
	text, err := c.markdown(line)
	words, above := false, ""
	for printed := range strings.Lines(text) {
		cells := split(printed)
		for i := range cells {
			cells[i] = html.UnescapeString(plain.Replace(cells[i]))
		}
		switch {
		case cells == nil:
		case columns == nil:
			columns = cells
		case strings.HasPrefix(cells[0], "---"):
			words = len(cells) > 1 && !strings.HasSuffix(cells[1], ":")
		default:
			above = cmp.Or(cells[0], above)
			r := row{name: above, cells: map[string]string{}}
			if words {
				r.name += "/" + cells[1]
			}
			for i, column := range columns {
				r.cells[column] = cells[i]
			}
			rows = append(rows, r)
		}
	}
	if err == nil && rows == nil {
		err = fmt.Errorf("%s prints no table", line)
	}
	return columns, rows, err
}

// column returns a column of the table that a command prints.
func (c *commands) column(line, column string) (found excerpt.Column, err error) {
	columns, rows, err := c.table(line)
	if err != nil {
		return found, err
	}
	at, err := excerpt.Pick("column", column, columns)
	if err != nil {
		return found, inLine(line, err)
	}
	for _, r := range rows {
		found.Rows, found.Texts = append(found.Rows, r.name), append(found.Texts, r.cells[columns[at]])
	}
	return found, nil
}
