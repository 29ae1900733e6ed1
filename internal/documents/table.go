package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// markdown returns what a command prints as Markdown.
func (c *commands) markdown(line string) (string, error) { return c.of(line + " --format md") }

// split returns the cells of a line of a Markdown table, nil for another line.
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

// row is a row of a table. Its name is its first cell or, if the second column has words, its first two: "S/NPO".
type row struct {
	name  string
	cells map[string]string
}

var (
	plain = strings.NewReplacer("**", "", "<u>", "", "</u>", "", `\*`, "*", `\|`, "|")
	bar   = strings.NewReplacer(`\|`, "\x00")
)

// table returns the columns and rows of the Markdown table that a command prints.
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

// find returns the cell of a row and a column.
func (c *commands) find(line, name, column string) (string, error) {
	columns, rows, err := c.table(line)
	if err != nil {
		return "", err
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	at, err := pick("row", name, names)
	if err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	in, err := pick("column", column, columns)
	if err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	return rows[at].cells[columns[in]], nil
}

// pick returns the place of a name, of the only one that has it between slashes, or of the only one that contains it.
func pick(kind, wanted string, names []string) (int, error) {
	if at := slices.Index(names, wanted); at >= 0 {
		return at, nil
	}
	var having []string
	for _, start := range []string{"/" + wanted + "/", wanted} {
		has := func(name string) bool { return strings.Contains("/"+name+"/", start) }
		having = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !has(name) })
		if len(having) == 1 {
			return slices.IndexFunc(names, has), nil
		}
	}
	if len(having) == 0 {
		return 0, fmt.Errorf("no %s has %q in its name: write a part of one of %q", kind, wanted, names)
	}
	return 0, fmt.Errorf("%d %ss have %q in their names: write more of one of %q", len(having), kind, wanted, having)
}
