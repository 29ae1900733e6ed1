package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// CSV writes a header line and one line per row, with full names and with cells as printed, without marks.
func (t *Table) CSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	line := []string{strings.Join(t.Heads(), "/")}
	for _, column := range t.Columns {
		line = append(line, column.Name)
	}
	if err := writer.Write(line); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line = append(line[:0], row.Name)
		for _, cell := range row.Cells {
			line = append(line, cell.line())
		}
		if err := writer.Write(line); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// jsonCell is a cell of the JSON form; Value is null for words.
type jsonCell struct {
	Row    string   `json:"row"`
	Column string   `json:"column"`
	Text   string   `json:"text"`
	Value  *float64 `json:"value"`
	Mark   string   `json:"mark,omitempty"`
}

// JSON writes the title, the note and one object per cell.
func (t *Table) JSON(w io.Writer) error {
	cells := []jsonCell{}
	for _, row := range t.Rows {
		for i, cell := range row.Cells {
			c := jsonCell{Row: row.Name, Column: t.Columns[i].Name, Text: cell.line(),
				Mark: [...]string{"", "best", "second"}[cell.Mark]}
			if !math.IsNaN(cell.Value) && !math.IsInf(cell.Value, 0) {
				c.Value = &cell.Value
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

// Formats lists the formats of Write.
var Formats = []string{"text", "md", "html", "tex", "csv", "json"}

// Write writes the table in one of the Formats.
func (t *Table) Write(w io.Writer, format string) error {
	writers := map[string]func(io.Writer) error{"text": t.Text, "md": t.Markdown, "html": t.HTML, "tex": t.LaTeX,
		"csv": t.CSV, "json": t.JSON}
	write, ok := writers[format]
	if !ok {
		return fmt.Errorf("unknown format %q; the formats are %s", format, strings.Join(Formats, ", "))
	}
	return write(w)
}
