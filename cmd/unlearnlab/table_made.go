package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// made tells whether a study makes a table of the paper.
func made(paper, number string) bool {
	e := experimentOf(paper)
	return e != nil && slices.Contains(e.tables, number)
}

// furtherOf is a study's table that the paper has not, nil if there is none of the name.
func furtherOf(paper, name string) *further {
	e := experimentOf(paper)
	if e == nil {
		return nil
	}
	at := slices.IndexFunc(e.further, func(t further) bool { return t.name == name })
	if at < 0 {
		return nil
	}
	return &e.further[at]
}

// furtherTables lists those of a study with what they are about, one a line.
func furtherTables() string {
	var lines strings.Builder
	for _, e := range experiments {
		for _, t := range e.further {
			fmt.Fprintf(&lines, "  %-12s %-10s %s\n", e.paper, t.name, t.about)
		}
	}
	return lines.String()
}

// showFurther prints a table that the paper has not.
func showFurther(c *cobra.Command, paper string, t *further, format string, flags studyFlags) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	r, err := newStudies(flags, c.ErrOrStderr()).results(paper)
	if err != nil {
		return err
	}
	table, err := t.table(r)
	if err != nil {
		return err
	}
	return showTable(c.OutOrStdout(), table, format)
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
			Paper  string         `json:"paper"`
			Table  string         `json:"table"`
			Preset string         `json:"preset"`
			Seeds  int            `json:"seeds"`
			Rows   []certify.Cell `json:"rows"`
		}{paper, number, o.preset, r.Seeds(), cells})
	}
	table, err := r.Table(number, certified)
	if err != nil {
		return err
	}
	return showTable(c.OutOrStdout(), table, format)
}
