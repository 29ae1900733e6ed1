package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// tableView is how a table is shown, and what of it.
type tableView struct {
	format        string
	columns, rows []string
}

// add gives a command the flags.
func (v *tableView) add(command *cobra.Command) {
	command.Flags().StringVar(&v.format, "format", "text", strings.Join(report.Formats, ", "))
	command.Flags().StringSliceVar(&v.columns, "columns", nil, "only these columns, in this order")
	command.Flags().StringSliceVar(&v.rows, "rows", nil, "only rows with one of these words in their names")
}

// check refuses a format in which no table is written, and a choice of what a format gives whole.
func (v tableView) check(whole bool) error {
	if err := checkFormat(v.format); err != nil {
		return err
	}
	if whole && len(v.columns)+len(v.rows) > 0 {
		return usagef("--format %s gives every cell here; leave --columns and --rows out", v.format)
	}
	return nil
}

// show writes a table.
func (v tableView) show(w io.Writer, table *report.Table) error {
	chosen, err := table.Choose(v.columns, v.rows)
	if err != nil {
		return usageError{err}
	}
	return showTable(w, chosen, v.format)
}
