package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// againstTable prints the differences of every row of a re-run's table from one of its rows.
func againstTable(c *cobra.Command, paper, number, row, judged string, shown tableView,
	flags studyFlags) error {
	if err := shown.check(shown.format == "json"); err != nil {
		return err
	}
	if !isReproduced(paper, number) {
		return usagef("--against needs a reproduced table: %s, without --printed", listReproduced())
	}
	o, err := openStudy(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.results()
	if err == nil {
		r, err = judgedBy(r, judged)
	}
	if err != nil {
		return err
	}
	comparer, can := r.(study.Comparer)
	if !can || strings.TrimSpace(row) == "" {
		return usagef("--against %q: name a row of the table", row)
	}
	all, err := comparer.Against(number, row)
	if err != nil {
		return usageError{err}
	}
	if shown.format == "json" {
		return writeJSON(c.OutOrStdout(), struct {
			Paper  string               `json:"paper"`
			Table  string               `json:"table"`
			Preset string               `json:"preset"`
			Seeds  int                  `json:"seeds"`
			Rows   []certify.Comparison `json:"rows"`
		}{paper, number, o.Preset, r.Seeds(), all.All})
	}
	return shown.show(c.OutOrStdout(), all.Table())
}
