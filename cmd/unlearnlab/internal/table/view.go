package table

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// tableView selects rows, columns and format of a table.
type tableView struct {
	format        string
	columns, rows []string
	methods       []string
	numbers       bool // show the numbers of a certified table, not only its verdicts
}

func (v *tableView) add(command *cobra.Command) {
	command.Flags().StringVar(&v.format, "format", "text", strings.Join(report.Formats, ", ")+
		", or records: "+strings.Join(recordFormats, ", "))
	command.Flags().StringSliceVar(&v.columns, "columns", nil, "only these columns, in this order")
	command.Flags().StringSliceVar(&v.rows, "rows", nil, "only rows with one of these words in their names")
	command.Flags().StringSliceVar(&v.methods, "methods", nil, "only rows of these methods and their references")
	command.Flags().BoolVar(&v.numbers, "numbers", false,
		"with --certified: numbers with their intervals instead of the grid of verdicts")
}

// check rejects an unknown format. If whole is set, it also rejects a selection of rows or columns.
func (v tableView) check(whole bool) error {
	if err := cli.CheckFormat(v.format); err != nil {
		return err
	}
	if whole && len(v.columns)+len(v.rows)+len(v.methods) > 0 {
		return cli.Usagef("--format %s always gives every cell here; remove --columns, --rows and --methods", v.format)
	}
	return nil
}

// show writes the selected part of a table.
func (v tableView) show(w io.Writer, table *report.Table) error {
	chosen, err := table.Choose(v.columns, v.rows)
	if err != nil {
		return cli.Usage(err)
	}
	if chosen, err = chosen.Methods(v.methods); err != nil {
		return cli.Usage(err)
	}
	view := cli.ViewOf(w)
	view.Numbers = v.numbers
	return cli.ShowTableIn(w, chosen, v.format, view)
}
