package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// output returns all that a command prints, and the command.
func (c *commands) output(line string) (string, error) {
	text, err := c.markdown(line)
	return fmt.Sprintf("%s\n\n`bin/unlearnlab %s`", text, line), err
}

// rows returns some columns of the table that a command prints, or the whole table without columns, and the command.
func (c *commands) rows(line string, columns ...string) (string, error) {
	all, _, err := c.table(line)
	text, _ := c.markdown(line)
	var at []int
	for _, column := range columns {
		i, unknown := pick("column", column, all)
		at, err = append(at, i), errors.Join(err, unknown)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	var kept []string
	for printed := range strings.Lines(text) {
		if cells := split(printed); len(columns) == 0 && cells != nil {
			kept = append(kept, strings.TrimSpace(printed))
		} else if cells != nil {
			var some []string
			for _, i := range at {
				some = append(some, cells[i])
			}
			kept = append(kept, "| "+strings.Join(some, " | ")+" |")
		}
	}
	return fmt.Sprintf("%s\n\n`bin/unlearnlab %s`", strings.Join(kept, "\n"), line), nil
}

// match returns the first group of a regular expression in what a command prints.
func (c *commands) match(line, expression string) (string, error) {
	text, err := c.markdown(line)
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(expression).FindStringSubmatch(text)
	if len(found) != 2 {
		return "", fmt.Errorf("%s prints nothing like %q", line, expression)
	}
	return found[1], nil
}

// cell returns a number of a table.
func (c *commands) cell(line, name, column string, options ...string) (string, error) {
	text, err := c.find(line, name, column)
	if err != nil {
		return "", err
	}
	return show(text, options)
}

// cells returns whole cells of a row, with bars between them.
func (c *commands) cells(line, name string, columns ...string) (string, error) {
	texts := make([]string, len(columns))
	for i, column := range columns {
		text, err := c.find(line, name, column)
		if err != nil {
			return "", err
		}
		texts[i] = strings.ReplaceAll(text, "<", "&lt;")
	}
	return strings.Join(texts, " | "), nil
}

// count returns how many rows have a text in a column.
func (c *commands) count(line, column, text string) (n int, err error) {
	columns, rows, err := c.table(line)
	if err == nil && !slices.Contains(columns, column) {
		err = fmt.Errorf("%s: no column is %q: write one of %q", line, column, columns)
	}
	for _, r := range rows {
		if r.cells[column] == text {
			n++
		}
	}
	return n, err
}

// extreme returns the function least (sign -1) or most (sign 1). It searches a column, in rows whose names contain a
// text.
func (c *commands) extreme(sign int) func(line, column, in string, options ...string) (string, error) {
	return func(line, column, in string, options ...string) (string, error) {
		_, rows, err := c.table(line)
		best, text := 0., ""
		for _, r := range rows {
			value, err := strconv.ParseFloat(number.FindString(r.cells[column]), 64)
			if err == nil && strings.Contains(r.name, in) && (text == "" || cmp.Compare(value, best) == sign) {
				best, text = value, r.cells[column]
			}
		}
		if err == nil && text == "" {
			err = fmt.Errorf("%s: no row with %q in its name has a number in column %q", line, in, column)
		}
		if err != nil {
			return "", err
		}
		return show(text, options)
	}
}

// number matches a printed number.
var number = regexp.MustCompile(`[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`)

// show returns the number of a cell. The options are:
//
//	low, high         an end of the cell's interval
//	interval          the number and its interval
//	p                 "p = 0.015" or "p < .001"
//	text              the whole cell
//	percent, million  the number in this unit
//	abs               the number without its sign
//	0, 1, 2 …         the number with so many decimals
//
// The units and the decimals round the printed number.
func show(text string, options []string) (string, error) {
	part, digits, scale, unit, abs := "number", -1, 1., "", false
	for _, option := range options {
		n, err := strconv.Atoi(option)
		switch {
		case err == nil:
			digits = n
		case option == "percent":
			digits, scale, unit = max(digits, 0), 100, " %"
		case option == "million":
			digits, scale = max(digits, 0), 1e-6
		case option == "abs":
			abs = true
		case slices.Contains([]string{"low", "high", "interval", "p", "text"}, option):
			part = option
		default:
			return "", fmt.Errorf("no option is %q; see show in internal/documents/functions.go", option)
		}
	}
	if part == "text" {
		return text, nil
	}
	shown := number.FindAllString(text, -1)
	last := map[string]int{"low": 1, "high": 2, "interval": 2}[part]
	if len(shown) <= last {
		return "", fmt.Errorf("the cell %q has no %s", text, part)
	}
	for i, printed := range shown {
		if abs {
			printed = strings.TrimPrefix(printed, "-")
		}
		shown[i] = strings.TrimPrefix(printed, "+")
		if value, err := strconv.ParseFloat(printed, 64); err == nil && digits >= 0 {
			shown[i] = strconv.FormatFloat(value*scale, 'f', digits, 64)
		}
	}
	switch {
	case part == "p" && !strings.HasPrefix(text, "<"):
		return "p = " + shown[0], nil
	case part == "p":
		return "p < " + shown[0], nil
	case part == "interval":
		return fmt.Sprintf("%s [%s, %s]%s", shown[0], shown[1], shown[2], unit), nil
	}
	return shown[last] + unit, nil
}
