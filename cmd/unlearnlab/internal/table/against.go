package table

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// againstTable compares every row of a reproduced table with one of its rows and prints the differences.
func againstTable(c *cobra.Command, paper, number, row, judged string, shown tableView,
	flags studies.Flags) error {
	if err := shown.check(shown.JSON()); err != nil {
		return err
	}
	if !studies.IsReproduced(paper, number) {
		return cli.Usagef("--against needs a reproduced table: %s, without --printed", studies.ListReproduced())
	}
	o, err := studies.Open(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.Results()
	if err == nil {
		r, err = judgedBy(r, judged)
	}
	if err != nil {
		return err
	}
	if strings.TrimSpace(row) == "" {
		return cli.Usagef("--against %q: name a row of the table", row)
	}
	comparer, err := o.Study.Comparer(r)
	if err != nil {
		return err
	}
	all, err := comparer.Against(number, row)
	if err != nil {
		return cli.Usage(err)
	}
	if shown.JSON() {
		return report.Records{Paper: paper, Table: number, Preset: o.Preset, Seeds: r.Seeds(),
			Rows: all.All}.JSON(c.OutOrStdout())
	}
	return shown.show(c.OutOrStdout(), all.Table(), paper, number, o.Preset)
}
