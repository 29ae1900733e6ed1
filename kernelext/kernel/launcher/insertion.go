package launcher

import (
	"slices"
	"strings"
)

// An insertion is text that the launcher adds to a line of a cell.
type insertion struct {
	line, column int // position in the user's cell, from 0; the column counts bytes
	text         string
}

// insertions are sorted by position. They contain no line breaks, so lines keep their numbers.
type insertions []insertion

// apply returns the lines with all insertions.
func (all insertions) apply(lines []string) []string {
	out := slices.Clone(lines)
	for _, i := range slices.Backward(all) {
		out[i.line] = out[i.line][:i.column] + i.text + out[i.line][i.column:]
	}
	return out
}

// undo converts a line of the changed cell, and a column in it, back to those in the user's cell.
func (all insertions) undo(number int, line string, column int) (string, int) {
	for _, i := range all {
		if i.line != number || i.column > len(line) || !strings.HasPrefix(line[i.column:], i.text) {
			continue
		}
		line = line[:i.column] + line[i.column+len(i.text):]
		if column > i.column {
			column = max(i.column, column-len(i.text))
		}
	}
	return line, column
}
