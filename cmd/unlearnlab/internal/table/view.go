package table

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// tableView selects rows, columns and format of a table.
type tableView struct {
	cli.Format
	columns, rows []string
	methods       []string
	numbers       bool // show the numbers of a certified table, not only its verdicts
}

func (v *tableView) addFlags(command *cobra.Command) {
	v.Add(command.Flags(), recordFormats...)
	command.Flags().StringSliceVar(&v.columns, "columns", nil, "only these columns, in this order")
	command.Flags().StringSliceVar(&v.rows, "rows", nil, "only rows with one of these words in their names")
	command.Flags().StringSliceVar(&v.methods, "methods", nil, "only rows of these methods and their references")
	command.Flags().BoolVar(&v.numbers, "numbers", false,
		"with --certified: numbers with their intervals instead of the grid of verdicts")
}

// check rejects an unknown format. If whole is set, it also rejects a selection of rows or columns.
func (v tableView) check(whole bool) error {
	if err := v.Check(); err != nil {
		return err
	}
	if whole && len(v.columns)+len(v.rows)+len(v.methods) > 0 {
		return cli.Usagef("--format %s always gives every cell here; remove --columns, --rows and --methods", v.Name)
	}
	return nil
}

// show writes the selected part of a table. As JSON, it names the paper, the table and the preset.
func (v tableView) show(w io.Writer, table *report.Table, paper, name, preset string) error {
	chosen, err := table.Choose(v.columns, v.rows)
	if err != nil {
		return cli.Usage(err)
	}
	if chosen, err = chosen.Methods(v.methods); err != nil {
		return cli.Usage(err)
	}
	if v.JSON() {
		found := chosen.Records()
		found.Paper, found.Table, found.Preset = paper, name, preset
		return found.JSON(w)
	}
	view := cli.ViewOf(w)
	view.Numbers = v.numbers
	return cli.ShowTableIn(w, chosen, v.Name, view)
}
