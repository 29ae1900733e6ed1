package study

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// PrintedClaims returns a table of claims evaluated on the paper's own printed numbers. A value is NaN if the paper
// does not print the numbers.
func PrintedClaims(claims []certify.Claim, values []float64, note string) *report.Table {
	t := &report.Table{Title: "The claims on the paper's own tables", Corner: "Claim", Columns: []report.Column{
		{Name: "Quantity"}, {Name: "Unit", Words: true}, {Name: "there", Words: true}}}
	denied, known := 0, 0
	for i, c := range claims {
		cell, there := report.Word("–"), "not printed"
		if !math.IsNaN(values[i]) {
			known++
			cell, there = report.Number(fmt.Sprintf("%.3f", values[i]), values[i]), "so"
			if values[i] <= 0 {
				denied, there = denied+1, "not so"
			}
		}
		t.Rows = append(t.Rows, report.Row{Name: c.Name, Cells: []report.Cell{cell, report.Word(c.Unit),
			report.Word(there)}})
	}
	t.Note = fmt.Sprintf("Each claim's quantity from the printed values, above zero if the claim is so: %d of %d are "+
		"not. %s", denied, known, note)
	return t
}
