package report

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A View defines how a table is printed to a terminal.
type View struct {
	Width   int  // characters per line; 0 means unlimited
	Height  int  // lines per page, after which a table repeats its header; 0 means never
	Colour  bool // print verdicts in colours
	Numbers bool // print a certified table's numbers instead of a grid of verdicts
}

// leastWords is the minimum width of a column of words. If the longest word is longer, the column is wider.
const leastWords = 8

// Show writes the table for a terminal. A certified table is printed as a grid of verdicts, unless v.Numbers is set. If
// a table is too wide, Show first breaks words at spaces, then cells at their line breaks, and finally splits the table
// into parts that repeat the rows' names.
func (t *Table) Show(w io.Writer, v View) error {
	switch {
	case t.judged() && !v.Numbers:
		return t.glance(w, v)
	case t.judged():
		return t.numbers(w, v)
	}
	lines, words := t.grid(func(cell Cell) string { return cell.Text + markSigns[cell.Mark] })
	s := sheet{lines: lines, words: words, header: len(t.header()), names: len(t.Heads()), gap: 2}
	return t.write(w, s, v, t.marks(markSigns), t.Note)
}

// markSigns are printed after the best and the second-best value.
var markSigns = [...]string{Plain: "", Best: "*", Second: "_"}

// write writes the title, the sheet, and the lines below the sheet.
func (t *Table) write(w io.Writer, s sheet, v View, below ...string) error {
	var out strings.Builder
	if t.Title != "" {
		out.WriteString(Filled(t.Title, v.Width) + "\n")
	}
	for i, part := range s.parts(v.Width) {
		if i > 0 {
			out.WriteString("\n")
		}
		part.write(&out, v.Height)
	}
	for _, text := range below {
		if text != "" {
			out.WriteString(Filled(text, v.Width) + "\n")
		}
	}
	if t.Code != "" {
		out.WriteString(t.Code + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// sheet is a table as strings. The header lines are first, and the rows follow.
type sheet struct {
	lines  [][]string
	words  []bool
	header int                                     // number of lines in the header
	names  int                                     // number of columns with the rows' names
	gap    int                                     // number of spaces between columns
	paint  func(line, column int) (on, off string) // returns escape codes around a cell; nil for none
}

// parts splits the sheet into sheets that fit the width of the terminal.
func (s sheet) parts(width int) []sheet {
	one := s.oneLine()
	if width == 0 || one.width() <= width {
		return []sheet{one}
	}
	if narrow := one.narrow(width); narrow.width() <= width {
		return []sheet{narrow}
	}
	// Cells keep their own line breaks.
	if narrow := s.narrow(width); narrow.width() <= width {
		return []sheet{narrow}
	}
	return s.cut(width)
}

// oneLine returns the sheet with spaces in place of the line breaks in cells.
func (s sheet) oneLine() sheet {
	lines := make([][]string, len(s.lines))
	for i, line := range s.lines {
		lines[i] = make([]string, len(line))
		for j, cell := range line {
			lines[i][j] = strings.ReplaceAll(cell, "\n", " ")
		}
	}
	s.lines = lines
	return s
}

// width returns the length of the sheet's longest line.
func (s sheet) width() int { return s.widthOf(columnWidths(s.lines)) }

// widthOf returns the length of the longest line for the given column widths. A text that runs over empty cells may end
// beyond the last column.
func (s sheet) widthOf(widths []int) int {
	longest := sum(widths) + s.gap*(len(widths)-1)
	for _, line := range s.lines {
		at := 0
		for i, cell := range line {
			if spansRight(line, i) {
				longest = max(longest, at+utf8.RuneCountInString(cell))
			}
			at += widths[i] + s.gap
		}
	}
	return longest
}

// narrow breaks the cells of the widest word columns until the sheet fits or no column can be narrower.
func (s sheet) narrow(width int) sheet {
	widths := columnWidths(s.lines)
	least := make([]int, len(widths))
	for i := range widths {
		least[i] = widths[i]
		if s.words[i] {
			least[i] = min(widths[i], max(leastWords, s.longestWord(i)))
		}
	}
	for s.widthOf(widths) > width {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return s.wrapCells(widths)
}

// wrapCells breaks the cells of word columns into lines of at most their column's width.
func (s sheet) wrapCells(widths []int) sheet {
	lines := make([][]string, len(s.lines))
	for i, line := range s.lines {
		lines[i] = slices.Clone(line)
		for j, cell := range line {
			if s.words[j] && utf8.RuneCountInString(cell) > widths[j] && !spansRight(line, j) {
				lines[i][j] = Filled(cell, widths[j])
			}
		}
	}
	s.lines = lines
	return s
}

// longestWord returns the length of a column's longest word.
func (s sheet) longestWord(column int) (longest int) {
	for _, line := range s.lines {
		if spansRight(line, column) {
			continue
		}
		for word := range strings.FieldsSeq(line[column]) {
			longest = max(longest, utf8.RuneCountInString(word))
		}
	}
	return longest
}

// cut splits the columns into parts that fit, each with the rows' names. A column that is too wide becomes a part by
// itself.
func (s sheet) cut(width int) (parts []sheet) {
	widths := columnWidths(s.lines)
	for i := range widths {
		if i < s.names {
			widths[i] = min(widths[i], width/2/s.names)
		} else {
			widths[i] = min(widths[i], width/2)
		}
	}
	s = s.wrapCells(widths)
	widths = columnWidths(s.lines)
	names := sum(widths[:s.names]) + s.gap*(s.names-1)
	for from := s.names; from < len(widths); {
		to, used := from, names
		for to < len(widths) && (to == from || used+s.gap+widths[to] <= width) {
			used += s.gap + widths[to]
			to++
		}
		parts = append(parts, s.part(from, to))
		from = to
	}
	return parts
}

// part returns the sheet with the rows' names and the columns from (inclusive) to to (exclusive). A header that spans
// several columns is repeated above its first column in every part.
func (s sheet) part(from, to int) sheet {
	part := sheet{header: s.header, names: s.names, gap: s.gap}
	part.words = append(slices.Clone(s.words[:s.names]), s.words[from:to]...)
	for i, line := range s.lines {
		cells := append(slices.Clone(line[:s.names]), line[from:to]...)
		if i < s.header-1 && cells[s.names] == "" {
			for at := from; at >= s.names && cells[s.names] == ""; at-- {
				cells[s.names] = line[at]
			}
		}
		part.lines = append(part.lines, cells)
	}
	if s.paint != nil {
		part.paint = func(line, column int) (on, off string) {
			if column >= s.names {
				column += from - s.names
			}
			return s.paint(line, column)
		}
	}
	return part
}

// write writes the lines in aligned columns. It repeats the header after each page of lines, or never if page is 0.
func (s sheet) write(out *strings.Builder, page int) {
	widths := columnWidths(s.lines)
	ruler := strings.Repeat("─", sum(widths)+s.gap*(len(widths)-1)) + "\n"
	var header strings.Builder
	for i := range s.header {
		s.writeLine(&header, s.lines[i], widths, i)
	}
	header.WriteString(ruler)
	out.WriteString(header.String())
	left := page - strings.Count(header.String(), "\n")
	names := make([]string, s.names) // names in this row, including those that are not repeated
	for i, line := range s.lines[s.header:] {
		for j := range names {
			if line[j] != "" {
				names[j] = line[j]
				clear(names[j+1:])
			}
		}
		height := lineHeight(line)
		if page > 0 && left < height {
			out.WriteString("\n" + header.String())
			left = page - strings.Count(header.String(), "\n") - 1
			line = append(slices.Clone(names), line[s.names:]...)
		}
		left -= height
		s.writeLine(out, line, widths, s.header+i)
	}
}

// lineHeight returns the largest number of text lines in a cell.
func lineHeight(line []string) int {
	height := 1
	for _, cell := range line {
		height = max(height, strings.Count(cell, "\n")+1)
	}
	return height
}

// writeLine writes a row of cells. Cells may have several text lines.
func (s sheet) writeLine(out *strings.Builder, line []string, widths []int, number int) {
	for k := range lineHeight(line) {
		cells := make([]string, len(line))
		for j, cell := range line {
			if parts := strings.Split(cell, "\n"); k < len(parts) {
				cells[j] = parts[k]
			}
		}
		out.WriteString(strings.TrimRight(s.alignLine(cells, widths, number), " ") + "\n")
	}
}

// alignLine returns a text line in which the cells are padded to the column widths.
func (s sheet) alignLine(line []string, widths []int, number int) string {
	var out strings.Builder
	overhang := 0
	for i, cell := range line {
		if i > 0 {
			out.WriteString(strings.Repeat(" ", s.gap))
		}
		length := utf8.RuneCountInString(cell)
		padding := max(0, widths[i]-length-overhang)
		spans := spansRight(s.lines[number], i)
		shown := cell
		if s.paint != nil && cell != "" {
			on, off := s.paint(number, i)
			shown = on + cell + off
		}
		if s.words[i] || spans {
			out.WriteString(shown + strings.Repeat(" ", padding))
		} else {
			out.WriteString(strings.Repeat(" ", padding) + shown)
		}
		overhang = max(0, length+overhang-widths[i])
	}
	return out.String()
}

// Filled breaks text at spaces into lines of at most width characters. It keeps existing line breaks. If width is 0, it
// returns the text unchanged.
func Filled(text string, width int) string {
	if width == 0 {
		return text
	}
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && visibleWidth(line)+1+visibleWidth(word) > width {
				out, line = append(out, line), ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// colourCodes matches the escape codes for colours.
var colourCodes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// visibleWidth returns the number of visible characters of a text.
func visibleWidth(text string) int {
	return utf8.RuneCountInString(colourCodes.ReplaceAllString(text, ""))
}
