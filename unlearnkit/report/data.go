package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// CSV writes a header line and one line per row, with full names and without marks. A column with numbers has nothing
// but numbers, in full precision; a missing value is empty. If any cell of the column has them, further columns follow:
// the bounds of the interval, how many repetitions agree of how many, the unit, the verdict, and words that replace a
// number.
func (t *Table) CSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	line := []string{strings.Join(t.Heads(), "/")}
	parts := make([]csvParts, len(t.Columns))
	for i, column := range t.Columns {
		parts[i] = t.csvParts(i)
		line = append(line, parts[i].heads(column.Name)...)
	}
	if err := writer.Write(line); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line = append(line[:0], row.Name)
		for i := range t.Columns {
			line = append(line, parts[i].fields(row.cell(i))...)
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// cell returns the cell in a column, or an empty one if the row is shorter.
func (r Row) cell(column int) Cell {
	if column >= len(r.Cells) {
		return Word("")
	}
	return r.Cells[column]
}

// csvParts states whether a table's column has numbers, and which additional columns it needs in a CSV file.
type csvParts struct{ numbers, bounds, agreement, unit, verdict, words bool }

func (t *Table) csvParts(column int) (p csvParts) {
	for _, row := range t.Rows {
		cell := row.cell(column)
		lo, _ := cell.bounds()
		p.numbers = p.numbers || Defined(cell.Value) != nil
		p.bounds = p.bounds || !math.IsNaN(lo)
		p.agreement = p.agreement || cell.Agreement != nil
		p.unit = p.unit || cell.Unit != ""
		p.verdict = p.verdict || cell.Judged != nil
		p.words = p.words || Defined(cell.Value) == nil && cell.words() != ""
	}
	return p
}

// of returns a column's value and the parts of the value that the column has.
func (p csvParts) of(value, low, high, agree, repeated, unit, verdict, words string) []string {
	fields := []string{value}
	for _, part := range []struct {
		has   bool
		texts []string
	}{{p.bounds, []string{low, high}}, {p.agreement, []string{agree, repeated}}, {p.unit, []string{unit}},
		{p.verdict, []string{verdict}}, {p.numbers && p.words, []string{words}}} {
		if part.has {
			fields = append(fields, part.texts...)
		}
	}
	return fields
}

func (p csvParts) heads(name string) []string {
	return p.of(name, name+" low", name+" high", name+" agree", name+" repeated", name+" unit", name+" verdict",
		name+" words")
}

func (p csvParts) fields(c Cell) []string {
	number := func(x float64) string {
		if Defined(x) == nil {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	value, words := number(c.Value), ""
	if value == "" {
		words = c.words()
	}
	if !p.numbers {
		value = words
	}
	lo, hi := c.bounds()
	agree, repeated, verdict := "", "", ""
	if c.Agreement != nil {
		agree, repeated = strconv.Itoa(c.Agreement.Agree), strconv.Itoa(c.Agreement.Repeated)
	}
	if c.Judged != nil {
		verdict = c.Judged.Verdict
	}
	return p.of(value, number(lo), number(hi), agree, repeated, c.Unit, verdict, words)
}

// missing is the text of a cell without a value.
const missing = "–"

// words returns the text on one line, or "" for a missing value.
func (c Cell) words() string {
	if c.Text == missing {
		return ""
	}
	return c.line()
}

// bounds returns the interval of the cell's value, or NaN if it has none.
func (c Cell) bounds() (lo, hi float64) {
	switch {
	case c.Range != nil:
		return c.Range.Lo, c.Range.Hi
	case c.Judged != nil:
		return c.Judged.Lo, c.Judged.Hi
	}
	return math.NaN(), math.NaN()
}

// cellRecord is a cell as JSON, with the names of [certify.Cell]. Estimate is null if the cell contains words.
type cellRecord struct {
	Row      string   `json:"row"`
	Column   string   `json:"column"`
	Text     string   `json:"text"`
	Estimate *float64 `json:"estimate"`
	Lo       *float64 `json:"lo,omitempty"`
	Hi       *float64 `json:"hi,omitempty"`
	Agree    *int     `json:"agree,omitempty"`
	Repeated *int     `json:"repeated,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Verdict  string   `json:"verdict,omitempty"`
	Mark     string   `json:"mark,omitempty"`
}

// Records returns the title, the note and one record per cell.
func (t *Table) Records() Records {
	cells := []cellRecord{}
	for _, row := range t.Rows {
		for i, cell := range row.Cells {
			c := cellRecord{Row: row.Name, Column: t.Columns[i].Name, Text: cell.line(), Estimate: Defined(cell.Value),
				Unit: cell.Unit, Mark: [...]string{"", "best", "second"}[cell.Mark]}
			lo, hi := cell.bounds()
			c.Lo, c.Hi = Defined(lo), Defined(hi)
			if cell.Agreement != nil {
				c.Agree, c.Repeated = &cell.Agreement.Agree, &cell.Agreement.Repeated
			}
			if cell.Judged != nil {
				c.Verdict = cell.Judged.Verdict
			}
			cells = append(cells, c)
		}
	}
	return Records{Title: t.Title, Note: strings.TrimSpace(t.Note + "\n" + t.Code), Rows: cells}
}

// JSON writes the table's [Records].
func (t *Table) JSON(w io.Writer) error { return t.Records().JSON(w) }

// Formats lists the formats that [Table.Write] accepts.
var Formats = []string{"text", "md", "html", "tex", "csv", "json"}

// Write writes the table in one of [Formats].
func (t *Table) Write(w io.Writer, format string) error {
	writers := map[string]func(io.Writer) error{"text": t.Text, "md": t.Markdown, "html": t.HTML, "tex": t.LaTeX,
		"csv": t.CSV, "json": t.JSON}
	write, ok := writers[format]
	if !ok {
		return fmt.Errorf("unknown format %q; the formats are %s", format, strings.Join(Formats, ", "))
	}
	return write(w)
}
