package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// mostFirstRows is how many rows of each run are shown at most: what opens all of them is printed too.
const mostFirstRows = 1000

func traceCommand() *cobra.Command {
	var row, column string
	var rows int
	var asJSON bool
	var flags studyFlags
	command := &cobra.Command{
		Use:   "trace PAPER TABLE --row ROW --column COLUMN",
		Short: "Where a cell of a table is from: its runs, their files, their rows",
		Long: `Go from a cell of a table that is made again to what it was computed from: the runs with their keys
and devices, the files of scores and the columns in them, the first of the rows, and a line for
DuckDB in Python that opens exactly these rows; .df() behind it makes a table of pandas of them.
Files that ship lie below data/results, others in the store. Rows and columns are named as the table
has them, in capitals or not.`,
		Example: examples("trace"),
		Args:    exactArgs(2, "a paper and a table's number"),
		RunE: func(c *cobra.Command, args []string) error {
			if rows < 0 || rows > mostFirstRows {
				return usagef("--rows %d: give a number of rows from 0 to %d", rows, mostFirstRows)
			}
			t, err := trace(args[0], args[1], row, column, rows, flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(c.OutOrStdout(), t)
			}
			return showTrace(c.OutOrStdout(), t)
		},
	}
	flags.addReading(command)
	command.Flags().StringVar(&row, "row", "", "the row of the cell, a method with its budget or a prompt")
	command.Flags().StringVar(&column, "column", "", "the column of the cell")
	command.Flags().IntVar(&rows, "rows", study.FirstRows, "how many of the first rows of each run are shown")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

// trace looks at what a cell of a re-run's table was computed from.
func trace(paper, number, row, column string, rows int, flags studyFlags, stderr io.Writer) (*study.Trace, error) {
	if err := checkPaper(paper); err != nil {
		return nil, err
	}
	if !made(paper, number) {
		return nil, usagef("%s has no table %q with cells to trace; there are those that are made again: %s", paper,
			number, madeTables())
	}
	for _, flag := range []struct{ name, value string }{{"row", row}, {"column", column}} {
		if strings.TrimSpace(flag.value) == "" {
			return nil, usagef("--%s: name a %[1]s of the table", flag.name)
		}
	}
	o, err := openStudy(paper, flags, stderr)
	if err != nil {
		return nil, err
	}
	r, err := o.results(number)
	if err != nil {
		return nil, err
	}
	tracer, can := r.(study.Tracer)
	if !can {
		return nil, fmt.Errorf("the study of %s does not say what its cells are computed from", paper)
	}
	t, err := study.TraceCell(tracer, number, row, column, rows)
	if errors.As(err, new(*study.Unknown)) {
		return nil, usageError{err}
	}
	return t, err
}

// showTrace writes the tables of a trace, with a line between them.
func showTrace(w io.Writer, t *study.Trace) error {
	for i, table := range t.Tables() {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := showTable(w, table, "text"); err != nil {
			return err
		}
	}
	return nil
}
