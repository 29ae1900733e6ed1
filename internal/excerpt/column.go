package excerpt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Column is a column of a printed table.
type Column struct {
	Rows  []string // names of the rows
	Texts []string // the rows' cells
}

// Cell returns the cell of a row, which [Pick] finds, as [Show] does.
func (c Column) Cell(row string, options ...string) (string, error) {
	at, err := Pick("row", row, c.Rows)
	if err != nil {
		return "", err
	}
	return Show(c.Texts[at], options...)
}

// Having returns the names of the rows with a text in the column and with all given words in their names.
func (c Column) Having(text string, words ...string) (rows []string) {
	for i, name := range c.Rows {
		lacking := c.Texts[i] != text
		for _, word := range words {
			lacking = lacking || !strings.Contains(name, word)
		}
		if !lacking {
			rows = append(rows, name)
		}
	}
	return rows
}

// Extreme returns the largest number in the column if sign is 1, and the smallest if it is -1, among the rows with a
// word in their names.
func (c Column) Extreme(sign float64, word string, options ...string) (string, error) {
	best, text := math.Inf(-1), ""
	for i, name := range c.Rows {
		value, err := strconv.ParseFloat(Number.FindString(c.Texts[i]), 64)
		if err == nil && strings.Contains(name, word) && sign*value > best {
			best, text = sign*value, c.Texts[i]
		}
	}
	if text == "" {
		return "", fmt.Errorf("no row with %q in its name has a number", word)
	}
	return Show(text, options...)
}
