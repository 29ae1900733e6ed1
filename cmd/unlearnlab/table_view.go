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
	methods       []string
	numbers       bool // of a certified table
}

// add gives a command the flags.
func (v *tableView) add(command *cobra.Command) {
	command.Flags().StringVar(&v.format, "format", "text", strings.Join(report.Formats, ", "))
	command.Flags().StringSliceVar(&v.columns, "columns", nil, "only these columns, in this order")
	command.Flags().StringSliceVar(&v.rows, "rows", nil, "only rows with one of these words in their names")
	command.Flags().StringSliceVar(&v.methods, "methods", nil, "only rows of these methods, and what they are beside")
	command.Flags().BoolVar(&v.numbers, "numbers", false,
		"of a certified table the numbers with their intervals, not the grid of verdicts")
}

// check refuses a format in which no table is written, and a choice of what a format gives whole.
func (v tableView) check(whole bool) error {
	if err := checkFormat(v.format); err != nil {
		return err
	}
	if whole && len(v.columns)+len(v.rows)+len(v.methods) > 0 {
		return usagef("--format %s gives every cell here; leave --columns, --rows and --methods out", v.format)
	}
	return nil
}

// show writes a table.
func (v tableView) show(w io.Writer, table *report.Table) error {
	chosen, err := table.Choose(v.columns, v.rows)
	if err != nil {
		return usageError{err}
	}
	if chosen, err = chosen.Methods(v.methods); err != nil {
		return usageError{err}
	}
	view := viewOf(w)
	view.Numbers = v.numbers
	return showTableIn(w, chosen, v.format, view)
}
