package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// checkFormat returns a usage error for an unknown format.
func checkFormat(name string) error {
	if !slices.Contains(report.Formats, name) {
		return usagef("there is no format %q; the formats are %s", name, strings.Join(report.Formats, ", "))
	}
	return nil
}

// showTable writes a table. In a notebook the default format shows it in the cell.
func showTable(w io.Writer, table *report.Table, format string) error {
	return showTableIn(w, table, format, viewOf(w))
}

// showTableIn is like showTable with a given view.
func showTableIn(w io.Writer, table *report.Table, format string, view report.View) error {
	switch {
	case format != "text":
		return table.Write(w, format)
	case kernelext.InNotebook():
		kernelext.Table(table)
		return nil
	}
	return table.Show(w, view)
}

// writeJSON writes a value as indented JSON with a final newline.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
