package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// isReproduced reports whether a study reproduces a table of the paper.
func isReproduced(paper, number string) bool {
	s := papers.Of(paper)
	return s != nil && among(s.Tables, number)
}

// isExtra reports whether a study has a table that is not in the paper.
func isExtra(paper, name string) bool {
	s := papers.Of(paper)
	return s != nil && among(extraTables(s), name)
}

// extraTables returns a study's tables that are not in its paper. Every study has the table of costs.
func extraTables(s *study.Study) []study.Item {
	return append(slices.Clone(s.Further), study.Item{Name: study.CostTable,
		About: "hours and memory of each preset"})
}

func among(items []study.Item, name string) bool {
	return slices.ContainsFunc(items, func(i study.Item) bool { return i.Name == name })
}

// listExtraTables lists the studies' additional tables, one per line.
func listExtraTables() string {
	var lines strings.Builder
	for _, s := range papers.All {
		for _, t := range extraTables(s) {
			fmt.Fprintf(&lines, "  %-12s %-10s %s\n", s.Paper, t.Name, t.About)
		}
	}
	return lines.String()
}

// showExtra prints an additional table.
func showExtra(c *cobra.Command, paper, name string, shown tableView, flags studyFlags) error {
	if err := shown.check(false); err != nil {
		return err
	}
	if name == study.CostTable {
		s, err := openStore(flags.home)
		if err != nil {
			return err
		}
		table, err := study.Cost(papers.Of(paper), s)
		if err != nil {
			return err
		}
		return shown.show(c.OutOrStdout(), table)
	}
	r, err := newReader(flags, c.ErrOrStderr()).results(paper)
	if err != nil {
		return err
	}
	table, err := r.Table(name, false)
	if err != nil {
		return err
	}
	return shown.show(c.OutOrStdout(), table)
}

// listReproduced lists the reproduced tables of all studies.
func listReproduced() string {
	var all []string
	for _, s := range papers.All {
		var names []string
		for _, t := range s.Tables {
			names = append(names, t.Name)
		}
		all = append(all, s.Paper+" "+strings.Join(names, ", "))
	}
	return strings.Join(all, "; ")
}

// showReproduced prints a table of the re-run.
func showReproduced(c *cobra.Command, paper, number string, shown tableView, certified bool, judged string,
	flags studyFlags) error {
	if err := shown.check(shown.format == "json"); err != nil {
		return err
	}
	o, err := openStudy(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.results(number)
	if err == nil {
		r, err = judgedBy(r, judged)
	}
	if err != nil {
		return err
	}
	if shown.format == "json" {
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
		}{paper, number, o.Preset, r.Seeds(), cells})
	}
	table, err := r.Table(number, certified)
	if err != nil {
		return err
	}
	return shown.show(c.OutOrStdout(), table)
}
