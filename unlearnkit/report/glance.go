package report

import (
	"io"
	"strings"
)

// glance writes a certified table as a grid of signs with a legend. If the column names do not fit side by side, it
// lists them one below the other, each with a line down to its column.
func (t *Table) glance(w io.Writer, v View) error {
	s := t.signs(v)
	if v.Width > 0 && s.narrow(v.Width).width() > v.Width {
		if s = t.stairs(v); s.narrow(v.Width).width() > v.Width {
			s = t.onlyJudged().stairs(v)
		}
	}
	return t.write(w, s, v, t.legendLine(v.Colour), t.marks(markSigns), t.Note)
}

// onlyJudged returns the table without the columns that have no verdicts, for narrow terminals.
func (t *Table) onlyJudged() *Table {
	var names []string
	for _, at := range t.judgedColumns() {
		names = append(names, t.Columns[at].Name)
	}
	short, err := t.Choose(names, nil)
	if err != nil {
		panic(err) // cannot happen: the names are from the table
	}
	return short
}

func (t *Table) legendLine(colour bool) string {
	var parts []string
	for _, e := range t.legend() {
		sign := e.sign
		if on := colours[e.standing]; colour && on != "" {
			sign = on + sign + plainColour
		}
		parts = append(parts, sign+" "+e.meaning)
	}
	return strings.Join(parts, ", ")
}

// colours holds the terminal colour of each standing. Blue, orange and green are distinguishable with any colour
// vision.
var colours = [...]string{Unjudged: "", Matched: "\x1b[32m", Above: "\x1b[33m", Below: "\x1b[34m", Open: "\x1b[90m"}

// plainColour resets the colour.
const plainColour = "\x1b[0m"

// signs returns the grid of signs below the column names, with the values of the reference rows.
func (t *Table) signs(v View) sheet {
	lines, words := t.grid(func(cell Cell) string {
		if cell.Judged != nil {
			return cell.sign()
		}
		return cell.line()
	})
	s := sheet{lines: lines, words: words, header: len(t.header()), names: len(t.Heads()), gap: 2}
	for _, at := range t.judgedColumns() {
		s.words[s.names+at] = true // signs are aligned with the first letter of the column name
	}
	if v.Colour {
		s.paint = t.paint(t.Rows, s)
	}
	return s
}

// paint returns a function with the escape codes around each cell: the colour of its standing if it is certified.
func (t *Table) paint(rows []Row, s sheet) func(line, column int) (on, off string) {
	header, names := s.header, s.names
	return func(line, column int) (on, off string) {
		if line < header || column < names || rows[line-header].Cells[column-names].Judged == nil {
			return "", ""
		}
		if on = colours[rows[line-header].Cells[column-names].Judged.Standing]; on == "" {
			return "", ""
		}
		return on, plainColour
	}
}

// stairs returns the grid of signs below column names that are listed like stairs. It omits rows without a verdict.
func (t *Table) stairs(v View) sheet {
	short := *t
	short.Rows = nil
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell.Judged != nil {
				short.Rows = append(short.Rows, row)
				break
			}
		}
	}
	judged := map[int]bool{}
	for _, at := range t.judgedColumns() {
		judged[at] = true
	}
	body := short.signs(v)
	corner := short.Heads()
	s := sheet{words: body.words, header: len(judged), names: body.names, gap: 1}
	step := 0
	for step < len(judged) {
		line := make([]string, s.names, s.names+len(t.Columns))
		if step == len(judged)-1 {
			copy(line, corner)
		}
		seen := 0
		for at, column := range t.Columns {
			name := strings.ReplaceAll(column.Name, "/", " ")
			switch {
			case !judged[at] && step < len(judged)-1:
				name = ""
			case judged[at] && seen < step:
				name = "│"
			case judged[at] && seen > step:
				name = ""
			}
			if judged[at] {
				seen++
			}
			line = append(line, name)
		}
		s.lines = append(s.lines, line)
		step++
	}
	s.lines = append(s.lines, body.lines[body.header:]...)
	if v.Colour {
		s.paint = short.paint(short.Rows, s)
	}
	return s
}
