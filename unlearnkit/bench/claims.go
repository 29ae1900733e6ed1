package bench

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// ClaimsTable lays out what holds of a paper's claims.
func ClaimsTable(s Study, judged []certify.Judged) *report.Table {
	t := &report.Table{Title: "Claims", Corner: "Claim"}
	var bases []certify.Basis
	for _, j := range judged {
		bases = append(bases, j.Basis)
	}
	t.Note = "A claim is a quantity that is above zero if it is so, with its interval of 95 %; of a claim that says " +
		"several things it is the one that is farthest below zero or least above. P is two-sided, after the " +
		"correction. Resolves is how far from zero it must truly lie for such a study to decide in four of five " +
		"cases; where that is farther than a claim of likeness has room, it is untestable. " +
		certify.Describe(bases) + "."
	if len(judged) > 0 {
		where := "judged in small worlds and not on its data"
		if judged[0].Preset == PaperPreset {
			where = "judged on its data"
		}
		t.Title = fmt.Sprintf("What the paper claims, %s (%s, %s)", where, judged[0].Preset,
			s.Repetitions().Count(judged[0].Seeds))
		t.Note = certify.Count(judged).String() + ". " + t.Note
	}
	for _, name := range []string{"Verdict", "Quantity", "Resolves", "p", "Source"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: true})
	}
	for _, j := range judged {
		quantity, resolves, p := "", "", ""
		switch {
		case j.Verdict != certify.Untestable:
			quantity = fmt.Sprintf("%.3f [%.3f, %.3f]\n%s", j.Statistic, j.Lo, j.Hi, j.Unit)
			p = certify.PText(j.PAdjusted, j.Basis, 2)
			if !math.IsNaN(j.Resolves) {
				resolves = fmt.Sprintf("%.3f", j.Resolves)
			}
		case !math.IsNaN(j.Lo):
			quantity = fmt.Sprintf("%.3f [%.3f, %.3f]\n%s", j.Statistic, j.Lo, j.Hi, j.Unit)
			resolves = fmt.Sprintf("%.3f", j.Resolves)
		case !math.IsNaN(j.Statistic):
			quantity = fmt.Sprintf("%.3f\n%s", j.Statistic, j.Unit)
		}
		t.Rows = append(t.Rows, report.Row{Name: j.Claim,
			Cells: []report.Cell{report.Word(string(j.Verdict)), report.Word(quantity), report.Word(resolves),
				report.Word(p), report.Word(j.Cited())}})
	}
	return t
}
