package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// made tells whether a study makes a table of the paper.
func made(paper, number string) bool {
	e := experimentOf(paper)
	return e != nil && slices.Contains(e.tables, number)
}

// madeTables are the tables that studies make.
func madeTables() string {
	var all []string
	for _, e := range experiments {
		all = append(all, e.paper+" "+strings.Join(e.tables, ", "))
	}
	return strings.Join(all, "; ")
}

// madeTable prints a table of the re-run.
func madeTable(c *cobra.Command, paper, number, format string, certified bool, flags studyFlags) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	o, err := openStudy(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.results()
	if err != nil {
		return err
	}
	if format == "json" {
		cells, err := r.Cells(number)
		if err != nil {
			return err
		}
		return writeJSON(c.OutOrStdout(), struct {
			Paper  string       `json:"paper"`
			Table  string       `json:"table"`
			Preset string       `json:"preset"`
			Seeds  int          `json:"seeds"`
			Rows   []study.Cell `json:"rows"`
		}{paper, number, o.preset, r.Seeds(), cells})
	}
	table, err := r.Table(number, certified)
	if err != nil {
		return err
	}
	return showTable(c.OutOrStdout(), table, format)
}
