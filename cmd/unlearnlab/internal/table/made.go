package table

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// listExtraTables lists the additional tables of all studies, one per line.
func listExtraTables() string {
	var lines strings.Builder
	for _, s := range papers.All {
		for _, t := range studies.FurtherTables(s) {
			fmt.Fprintf(&lines, "  %-12s %-10s %s\n", s.Paper, t.Name, t.About)
		}
	}
	return lines.String()
}

func showExtra(c *cobra.Command, paper, name string, shown tableView, flags studies.Flags) error {
	if err := shown.check(false); err != nil {
		return err
	}
	if name == study.CostTable {
		s, err := studies.OpenStore(flags.Home)
		if err != nil {
			return err
		}
		table, err := study.Cost(papers.Of(paper), s)
		if err != nil {
			return err
		}
		return shown.show(c.OutOrStdout(), table, paper, name, "")
	}
	r, err := studies.NewReader(flags, c.ErrOrStderr()).Results(paper)
	if err != nil {
		return err
	}
	table, err := r.Table(name, false)
	if err != nil {
		return err
	}
	return shown.show(c.OutOrStdout(), table, paper, name, flags.Preset)
}

func showReproduced(c *cobra.Command, paper, number string, shown tableView, certified bool, judged string,
	flags studies.Flags) error {
	if err := shown.check(shown.JSON()); err != nil {
		return err
	}
	o, err := studies.Open(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.Results(number)
	if err == nil {
		r, err = judgedBy(r, judged)
	}
	if err != nil {
		return err
	}
	table, err := r.Table(number, certified)
	if err != nil {
		return err
	}
	if !shown.JSON() {
		return shown.show(c.OutOrStdout(), table, paper, number, o.Preset)
	}
	found := table.Records()
	found.Paper, found.Table, found.Preset, found.Seeds = paper, number, o.Preset, r.Seeds()
	cells, err := r.Cells(number)
	switch {
	case err == nil:
		found.Rows = cells
	case !errors.As(err, new(*study.Lacks)): // a table without certified cells has texts or plain numbers
		return err
	}
	return found.JSON(c.OutOrStdout())
}
