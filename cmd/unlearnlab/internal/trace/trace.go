// Package trace traces a table's cell back to its files.
package trace

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// mostFirstRows is the maximum number of rows shown for each run; the printed code opens all of them.
const mostFirstRows = 1000

func Command() *cobra.Command {
	var row, column string
	var rows int
	var asJSON bool
	var flags studies.Flags
	command := &cobra.Command{
		Use:   "trace PAPER TABLE --row ROW --column COLUMN",
		Short: "Trace a table's cell to its runs, their files and their rows",
		Long: `Trace a cell of a reproduced table to its sources: the runs with their keys and devices, the score
files and their columns, the first rows, and a line of Python for DuckDB that opens exactly these
rows; append .df() for a pandas table. Shipped files are below data/results, others in the store.
Rows and columns have the names in the table, regardless of case.`,
		Example: studies.Examples("trace"),
		Args:    cli.ExactArgs(2, "a paper and a table's number"),
		RunE: func(c *cobra.Command, args []string) error {
			if rows < 0 || rows > mostFirstRows {
				return cli.Usagef("--rows %d: give a number of rows from 0 to %d", rows, mostFirstRows)
			}
			var t *study.Trace
			err := flags.Richest(args[0], c.ErrOrStderr(), func(flags studies.Flags) (err error) {
				t, err = trace(args[0], args[1], row, column, rows, flags, c.ErrOrStderr())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(c.OutOrStdout(), t)
			}
			return showTrace(c.OutOrStdout(), t)
		},
	}
	flags.AddReading(command)
	command.Flags().StringVar(&row, "row", "", "row of the cell, such as a method with its budget or a prompt")
	command.Flags().StringVar(&column, "column", "", "column of the cell")
	command.Flags().IntVar(&rows, "rows", study.FirstRows, "number of first rows to show for each run")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

// trace returns the origin of a cell in a reproduced table.
func trace(paper, number, row, column string, rows int, flags studies.Flags, stderr io.Writer) (*study.Trace, error) {
	if err := studies.CheckPaper(paper); err != nil {
		return nil, err
	}
	if !studies.IsReproduced(paper, number) {
		return nil, cli.Usagef("%s has no table %q with cells to trace; the reproduced tables are %s", paper, number,
			studies.ListReproduced())
	}
	for _, flag := range []struct{ name, value string }{{"row", row}, {"column", column}} {
		if strings.TrimSpace(flag.value) == "" {
			return nil, cli.Usagef("--%s: name a %[1]s of the table", flag.name)
		}
	}
	o, err := studies.Open(paper, flags, stderr)
	if err != nil {
		return nil, err
	}
	r, err := o.Results(number)
	if err != nil {
		return nil, err
	}
	tracer, err := o.Study.Tracer(r)
	if err != nil {
		return nil, err
	}
	t, err := study.TraceCell(tracer, number, row, column, rows)
	if errors.As(err, new(*study.Unknown)) {
		return nil, cli.Usage(err)
	}
	return t, err
}

// showTrace writes the tables of a trace, separated by blank lines.
func showTrace(w io.Writer, t *study.Trace) error {
	for i, table := range t.Tables() {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := cli.ShowTable(w, table, "text"); err != nil {
			return err
		}
	}
	return nil
}
