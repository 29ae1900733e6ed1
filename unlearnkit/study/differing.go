package study

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// ClaimSet holds a study's claims, judged on one set of results.
type ClaimSet struct {
	Name   string // heading of its columns
	Judged []certify.Judged
}

// Differing tabulates the claims whose verdict differs between sets. It also returns the number of claims with one
// verdict in all sets. It skips claims that a set lacks and claims about guests. The last set's p-values are shown.
func Differing(title string, sets ...ClaimSet) (t *report.Table, same int) {
	t = &report.Table{Title: title, Corner: "Claim"}
	for _, set := range sets {
		t.Columns = append(t.Columns, report.Column{Name: set.Name, Words: true},
			report.Column{Name: "Quantity, " + set.Name})
	}
	last := sets[len(sets)-1]
	t.Columns = append(t.Columns, report.Column{Name: "p, " + last.Name, Words: true})
	for _, j := range last.Judged {
		row, verdicts := report.Row{Name: j.Claim}, map[string]bool{}
		for _, set := range sets {
			at := slices.IndexFunc(set.Judged, func(other certify.Judged) bool { return other.Claim == j.Claim })
			if at < 0 {
				break
			}
			found := set.Judged[at]
			verdicts[VerdictOf(found)] = true
			row = row.With(report.Word(VerdictOf(found)), quantityCell(found))
		}
		switch {
		case j.Guest || len(row.Cells) < 2*len(sets):
		case len(verdicts) == 1:
			same++
		default:
			t.Rows = append(t.Rows, row.With(decidingCell(j)))
		}
	}
	return t, same
}
