package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// CSV writes a header line and one line per row, with full names and without marks. Cells are written as printed. A
// column whose cells have intervals, units or verdicts becomes several columns: the value, the bounds, the unit and the
// verdict.
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
		for i, cell := range row.Cells {
			line = append(line, parts[i].fields(cell)...)
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// csvParts states which additional columns a table's column needs in a CSV file.
type csvParts struct{ bounds, unit, verdict bool }

func (t *Table) csvParts(column int) (p csvParts) {
	for _, row := range t.Rows {
		if column < len(row.Cells) {
			lo, _ := row.Cells[column].bounds()
			p.bounds = p.bounds || !math.IsNaN(lo)
			p.unit = p.unit || row.Cells[column].Unit != ""
			p.verdict = p.verdict || row.Cells[column].Judged != nil
		}
	}
	return p
}

func (p csvParts) heads(name string) []string {
	heads := []string{name}
	if p.bounds {
		heads = append(heads, name+" low", name+" high")
	}
	if p.unit {
		heads = append(heads, name+" unit")
	}
	if p.verdict {
		heads = append(heads, name+" verdict")
	}
	return heads
}

func (p csvParts) fields(c Cell) []string {
	if p == (csvParts{}) {
		return []string{c.line()}
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	lo, hi := c.bounds()
	fields := []string{number(c.Value)}
	if math.IsNaN(c.Value) {
		fields[0] = c.line()
	}
	if p.bounds {
		fields = append(fields, number(lo), number(hi))
	}
	if p.unit {
		fields = append(fields, c.Unit)
	}
	if p.verdict && c.Judged != nil {
		fields = append(fields, c.Judged.Verdict)
	} else if p.verdict {
		fields = append(fields, "")
	}
	return fields
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

// jsonCell is a cell as JSON. Value is null if the cell contains words.
type jsonCell struct {
	Row    string   `json:"row"`
	Column string   `json:"column"`
	Text   string   `json:"text"`
	Value  *float64 `json:"value"`
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Mark   string   `json:"mark,omitempty"`
}

// JSON writes an object with the title, the note and one object per cell.
func (t *Table) JSON(w io.Writer) error {
	cells := []jsonCell{}
	for _, row := range t.Rows {
		for i, cell := range row.Cells {
			c := jsonCell{Row: row.Name, Column: t.Columns[i].Name, Text: cell.line(), Unit: cell.Unit,
				Mark: [...]string{"", "best", "second"}[cell.Mark]}
			if !math.IsNaN(cell.Value) && !math.IsInf(cell.Value, 0) {
				c.Value = &cell.Value
			}
			if lo, hi := cell.bounds(); !math.IsNaN(lo) {
				c.Low, c.High = &lo, &hi
			}
			cells = append(cells, c)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Title string     `json:"title"`
		Note  string     `json:"note,omitempty"`
		Cells []jsonCell `json:"cells"`
	}{t.Title, strings.TrimSpace(t.Note + "\n" + t.Code), cells})
}

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
