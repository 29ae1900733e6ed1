package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// claims is what a paper claims, with what became of it.
type claims struct {
	Title  string
	Counts []count // by verdict
	Main   []claim // those that matter most
	All    []claim
	Frame  string // how far the models are from the paper's
	Notes  []string

	judged []certify.Judged
}

// count is how many claims have a verdict.
type count struct {
	Sign
	N    int
	Word string // "hold"
}

type claim struct {
	ID, Text string
	Sign
	Quantity []string
	Family   string
	Alone    string   // p of the claim by itself
	P        []string // after the correction, with the repetitions that agree
	Resolves string
	Source   string
	Finding  string
}

// claimsOf judges the claims of a paper, and takes out those that its study names first.
func claimsOf(p Paper) *claims {
	judged := p.Results.Claims()
	table := study.ClaimsTable(p.Study, judged, p.Results.Frame())
	shown := &claims{Title: table.Title, Frame: p.Results.Frame(), Notes: strings.Split(table.Note, "\n"),
		judged: judged}
	for _, verdict := range []string{string(certify.Holds), study.BySelection, study.NotSeen, string(certify.Fails),
		study.Contradicted, string(certify.Unresolved), string(certify.Untestable)} {
		c := count{Sign: *known(verdict), Word: map[string]string{"holds": "hold", "fails": "fail",
			study.BySelection: "hold by selection"}[verdict]}
		c.Word = cmp.Or(c.Word, verdict)
		for _, j := range judged {
			if study.VerdictOf(j) == verdict {
				c.N++
			}
		}
		rare := []string{string(certify.Fails), study.Contradicted, study.BySelection}
		if c.N > 0 || !slices.Contains(rare, verdict) {
			shown.Counts = append(shown.Counts, c)
		}
	}
	texts := map[string]string{} // of the columns
	for i, j := range judged {
		for k, column := range table.Columns {
			texts[column.Name] = table.Rows[i].Cells[k].Text
		}
		shown.All = append(shown.All, claim{ID: fmt.Sprintf("%s-claim-%s", p.Study.Paper, slug(j.Claim)),
			Text: j.Claim, Sign: *known(study.VerdictOf(j)), Quantity: lines(texts["Quantity"]),
			Family: j.Family, Alone: texts["p alone"], P: lines(texts["p"]),
			Resolves: texts["Resolves"], Source: texts["Source"], Finding: j.Finding})
	}
	for _, name := range p.Study.Main {
		at := slices.IndexFunc(shown.All, func(c claim) bool { return c.Text == name })
		if at >= 0 {
			shown.Main = append(shown.Main, shown.All[at])
		}
	}
	return shown
}

// lines are those of a text, none of an empty one.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return line == "" })
}
