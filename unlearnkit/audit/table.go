package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// String returns the counts in words.
func (c Count) String() string {
	var parts []string
	for _, part := range []struct {
		count int
		class string
	}{{c.Reproduced, "reproduced"}, {c.Consistent, "consistent"}, {c.Inconsistent, "inconsistent"},
		{c.NotDerivable, "not derivable"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.class))
		}
	}
	return strings.Join(parts, ", ")
}

// Sorted returns the groups of findings. Inconsistent ones are first.
func Sorted(findings []Finding) []Group {
	order := []Verdict{Inconsistent, Reproduced, Consistent, NotDerivable}
	groups := Groups(findings)
	slices.SortStableFunc(groups, func(a, b Group) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	return groups
}

// Listed reports whether the numbers of a group are listed one by one. Inconsistent numbers are always listed.
func (g Group) Listed(every bool) bool {
	return every || g.Verdict == Inconsistent || len(g.Findings) == 1
}

// Place returns the row and the column of the number that a finding is about.
func (f Finding) Place() string {
	if f.Column == "" {
		return f.Row
	}
	return f.Row + ", " + f.Column
}

// Table returns a table of the findings about a paper. It has one row per group, or one row per number for groups that
// are listed one by one. title is the paper's title.
func Table(title string, findings []Finding, every bool) *report.Table {
	table := &report.Table{Corner: "Item", Columns: []report.Column{
		{Name: "check", Words: true}, {Name: "where", Words: true}, {Name: "printed"}, {Name: "computed"},
		{Name: "verdict", Words: true}, {Name: "reason", Words: true},
	}}
	if title != "" {
		table.Title = fmt.Sprintf("%s: %s", title, Summary(findings)[0])
	}
	for _, g := range Sorted(findings) {
		if !g.Listed(every) {
			table.Rows = append(table.Rows, g.row(fmt.Sprintf("%d numbers", len(g.Findings)), Finding{}))
			continue
		}
		for _, f := range g.Findings {
			table.Rows = append(table.Rows, g.row(f.Place(), f))
		}
	}
	return table
}

func (g Group) row(where string, f Finding) report.Row {
	verdict := report.Word(string(g.Verdict))
	if g.Verdict == Inconsistent {
		verdict.Mark = report.Best
	}
	return report.Row{Name: g.Item, Cells: []report.Cell{
		report.Word(g.Check), report.Word(where), report.Word(f.Printed), report.Word(f.Computed), verdict,
		report.Word(g.Reason),
	}}
}
