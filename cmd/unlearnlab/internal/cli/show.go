package cli

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// CheckFormat returns a usage error if name is not one of [report.Formats].
func CheckFormat(name string) error {
	if !slices.Contains(report.Formats, name) {
		return Usagef("there is no format %q; the formats are %s", name, strings.Join(report.Formats, ", "))
	}
	return nil
}

// ShowTable writes a table. In a notebook, the format text shows it in the cell.
func ShowTable(w io.Writer, table *report.Table, format string) error {
	return ShowTableIn(w, table, format, ViewOf(w))
}

// ShowTableIn is like [ShowTable] with a given view.
func ShowTableIn(w io.Writer, table *report.Table, format string, view report.View) error {
	switch {
	case format != "text":
		return table.Write(w, format)
	case kernelext.InNotebook():
		kernelext.Table(table)
		return nil
	}
	return table.Show(w, view)
}

// WriteJSON writes a value as indented JSON with a final newline.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
