package report

import (
	"io"
	"slices"
	"strings"
)

// numbers writes a certified table with numbers. Each cell has its sign, its interval and a picture of both.
func (t *Table) numbers(w io.Writer, v View) error {
	drawn := *t
	drawn.Rows = slices.Clone(t.Rows)
	scales := map[int]scale{}
	for _, at := range t.judgedColumns() {
		scales[at] = t.scaleOf(at)
	}
	for i, row := range drawn.Rows {
		drawn.Rows[i].Cells = slices.Clone(row.Cells)
		for at, cell := range row.Cells {
			if cell.Judged != nil {
				drawn.Rows[i].Cells[at].Text = strings.Join(append(cell.figures(), scales[at].whisker(cell)), "\n")
			}
		}
	}
	lines, words := drawn.grid(func(cell Cell) string { return cell.Text + markSigns[cell.Mark] })
	s := sheet{lines: lines, words: words, header: len(t.header()), names: len(t.Heads()), gap: 2}
	if v.Colour {
		s.paint = t.paint(t.Rows, s)
	}
	return t.write(w, s, v, t.legendLine(v.Colour), whiskerLegend, t.marks(markSigns), t.Note)
}

// figures returns the text lines of a certified cell, starting with the sign. It omits the verdict in words.
func (c Cell) figures() []string {
	lines := strings.Split(c.Text, "\n")
	if last := len(lines) - 1; last > 0 && lines[last] == c.Judged.Verdict {
		lines = lines[:last]
	}
	lines[0] = c.Judged.Standing.Sign() + " " + lines[0]
	return lines
}

// whiskerLegend explains the small pictures of intervals.
const whiskerLegend = "├●┤ value and 95 % interval, ┊ target, on one scale a column"

// whiskerSteps is the width of a picture in characters.
const whiskerSteps = 13

// whisker returns a picture, in characters, of a value, its interval and its target on the scale of the column.
func (s scale) whisker(c Cell) string {
	picture := []rune(strings.Repeat(" ", whiskerSteps))
	low, high := s.at(c.Judged.Lo, whiskerSteps), s.at(c.Judged.Hi, whiskerSteps)
	if low >= 0 && high > low {
		for i := low; i <= high; i++ {
			picture[i] = '─'
		}
		picture[low], picture[high] = '├', '┤'
	}
	if target := s.at(c.Judged.Target, whiskerSteps); target >= 0 {
		if picture[target] == ' ' {
			picture[target] = '┊'
		} else {
			picture[target] = '┼'
		}
	}
	if at := s.at(c.Value, whiskerSteps); at >= 0 {
		picture[at] = '●'
	}
	return string(picture)
}
