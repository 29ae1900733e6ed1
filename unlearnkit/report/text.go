package report

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode/utf8"
)

// Text writes the table in aligned columns, with * after the best and _ after the second-best value. It writes
// certified cells as numbers. If w is a file such as os.Stdout, the table fits the width that [ViewOf] returns.
// Otherwise its width is not limited.
func (t *Table) Text(w io.Writer) error {
	var v View
	if _, isFile := w.(*os.File); isFile {
		v = ViewOf(w)
	}
	v.Numbers = true
	return t.Show(w, v)
}

// Markdown writes a pipe table. In column names, a space joins the levels.
func (t *Table) Markdown(w io.Writer) error {
	var out strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&out, "**%s**\n\n", t.Title)
	}
	corner, labels := t.labels()
	line := append([]string(nil), corner...)
	rule := strings.Repeat("|---", len(corner))
	for _, column := range t.Columns {
		line = append(line, strings.ReplaceAll(column.Name, "/", " "))
		if column.Words {
			rule += "|---"
		} else {
			rule += "|--:"
		}
	}
	writePipes(&out, line)
	out.WriteString(rule + "|\n")
	for i, row := range t.Rows {
		line = append(line[:0], labels[i]...)
		for _, cell := range row.Cells {
			line = append(line, cell.decorate(escapeMarkdown(cell.Text), "**", "**", "<u>", "</u>"))
		}
		writePipes(&out, line)
	}
	if note := t.typesetNote(); note != "" {
		fmt.Fprintf(&out, "\n%s\n", note)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// typesetSigns states how the best and the second-best value are typeset.
var typesetSigns = [...]string{Plain: "", Best: "bold", Second: "underlined"}

// typesetNote returns the text below a typeset table: the explanation of its marks, followed by the note.
func (t *Table) typesetNote() string {
	marks := t.marks(typesetSigns)
	if marks != "" {
		marks = strings.ToUpper(marks[:1]) + marks[1:]
	}
	return strings.TrimSpace(strings.TrimSpace(marks+" "+t.Note) + "\n" + t.Code)
}

// marks explains the signs of the best and the second-best value. It returns "" if the table has no marks.
func (t *Table) marks(signs [3]string) string {
	has := [len(typesetSigns)]bool{}
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			has[cell.Mark] = has[cell.Mark] || cell.Text != "" && !math.IsNaN(cell.Value)
		}
	}
	switch {
	case has[Best] && has[Second]:
		return signs[Best] + ": best, " + signs[Second] + ": second."
	case has[Best]:
		return signs[Best] + ": best."
	}
	return ""
}

// decorate returns text between the two strings for the cell's mark.
func (c Cell) decorate(text, best, bestEnd, second, secondEnd string) string {
	switch {
	case text == "":
		return ""
	case c.Mark == Best:
		return best + text + bestEnd
	case c.Mark == Second:
		return second + text + secondEnd
	}
	return text
}

// escapeMarkdown replaces line breaks by spaces and escapes characters with a meaning in Markdown tables.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "\n", " ", "<", "&lt;").Replace(text)
}

func writePipes(out *strings.Builder, cells []string) {
	for _, cell := range cells {
		out.WriteString("| " + cell + " ")
	}
	out.WriteString("|\n")
}

// grid returns the header lines and the rows as strings. A spanning header is above the first of its columns. words
// reports which columns are aligned left.
func (t *Table) grid(show func(Cell) string) (lines [][]string, words []bool) {
	corner, labels := t.labels()
	words = make([]bool, len(corner), len(corner)+len(t.Columns))
	for i := range words {
		words[i] = true
	}
	for _, column := range t.Columns {
		words = append(words, column.Words)
	}
	header := t.header()
	for level, spans := range header {
		line := make([]string, len(corner))
		if level == len(header)-1 {
			copy(line, corner)
		}
		for _, s := range spans {
			line = append(append(line, s.text), make([]string, s.width-1)...)
		}
		lines = append(lines, line)
	}
	for i, row := range t.Rows {
		line := append([]string(nil), labels[i]...)
		for _, cell := range row.Cells {
			line = append(line, show(cell))
		}
		lines = append(lines, line)
	}
	return lines, words
}

func columnWidths(lines [][]string) []int {
	var widths []int
	for _, line := range lines {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if !spansRight(line, i) {
				for line := range strings.SplitSeq(cell, "\n") {
					widths[i] = max(widths[i], utf8.RuneCountInString(line))
				}
			}
		}
	}
	return widths
}

// spansRight reports whether a header may extend over the empty cells to its right.
func spansRight(line []string, i int) bool {
	return i+1 < len(line) && line[i] != "" && line[i+1] == ""
}

func sum(widths []int) int {
	total := 0
	for _, width := range widths {
		total += width
	}
	return total
}
