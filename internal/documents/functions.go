package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/excerpt"
)

// output returns everything a command prints, followed by the command line.
func (c *commands) output(line string) (string, error) {
	text, err := c.markdown(line)
	return fmt.Sprintf("%s\n\n`bin/unlearnlab %s`", text, line), err
}

// summary returns a paper's main results as unlearnlab report --summary prints them, followed by the command line.
func (c *commands) summary(paper string) (string, error) {
	line := "report " + paper + " --summary"
	text, err := c.of(line)
	return fmt.Sprintf("%s\n\n`bin/unlearnlab %s`", text, line), err
}

// rows returns the given columns of the table that a command prints, or the whole table without columns, followed by
// the command line.
func (c *commands) rows(line string, columns ...string) (string, error) {
	all, _, err := c.table(line)
	text, _ := c.markdown(line)
	var at []int
	for _, column := range columns {
		i, unknown := excerpt.Pick("column", column, all)
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

// match returns the only group of a regular expression that is searched for in a command's output.
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

// cell returns a number from a table.
func (c *commands) cell(line, name, column string, options ...string) (string, error) {
	found, err := c.column(line, column)
	if err != nil {
		return "", err
	}
	text, err := found.Cell(name, options...)
	return text, inLine(line, err)
}

// cells returns several cells of a row, separated by | for use in a Markdown table.
func (c *commands) cells(line, name string, columns ...string) (string, error) {
	texts := make([]string, len(columns))
	for i, column := range columns {
		text, err := c.cell(line, name, column, "text")
		if err != nil {
			return "", err
		}
		texts[i] = strings.ReplaceAll(text, "<", "&lt;")
	}
	return strings.Join(texts, " | "), nil
}

// count returns the number of rows that have text in a column.
func (c *commands) count(line, column, text string) (int, error) {
	found, err := c.column(line, column)
	return len(found.Having(text)), err
}

// extreme returns the template function least (sign -1) or most (sign 1), which searches a column in the rows whose
// names contain a word.
func (c *commands) extreme(sign float64) func(line, column, word string, options ...string) (string, error) {
	return func(line, column, word string, options ...string) (string, error) {
		found, err := c.column(line, column)
		if err != nil {
			return "", err
		}
		text, err := found.Extreme(sign, word, options...)
		return text, inLine(line, err)
	}
}

// inLine puts the command line before an error.
func inLine(line string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", line, err)
}
