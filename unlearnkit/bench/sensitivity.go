package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Sensitivity is what becomes of verdicts under other thresholds.
type Sensitivity struct {
	Name     string
	Verdicts []certify.Verdict // in the order of the names
}

// SensitivityTable lays out how many verdicts there are of each kind, and which differ from those that are used.
func SensitivityTable(names []string, own []certify.Verdict, rows []Sensitivity) *report.Table {
	t := &report.Table{Corner: "Thresholds", Note: "Verdicts that differ from those that are used are named."}
	rows = append([]Sensitivity{{"as used", own}}, rows...)
	var kinds []certify.Verdict
	for _, row := range rows {
		for _, v := range row.Verdicts {
			if !slices.Contains(kinds, v) {
				kinds = append(kinds, v)
			}
		}
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		t.Columns = append(t.Columns, report.Column{Name: string(kind)})
	}
	t.Columns = append(t.Columns, report.Column{Name: "Other verdicts", Words: true})
	for _, row := range rows {
		var cells []report.Cell
		for _, kind := range kinds {
			n := 0
			for _, v := range row.Verdicts {
				if v == kind {
					n++
				}
			}
			cells = append(cells, report.Number(fmt.Sprint(n), float64(n)))
		}
		var others []string
		for i, v := range row.Verdicts {
			if v != own[i] {
				others = append(others, fmt.Sprintf("%s: %s", names[i], v))
			}
		}
		t.Rows = append(t.Rows, report.Row{Name: row.Name, Cells: append(cells,
			report.Word(strings.Join(others, "; ")))})
	}
	return t
}
