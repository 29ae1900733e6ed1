package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// claims is what a paper claims, with what became of it.
type claims struct {
	Title  string
	Counts []count // by verdict
	Main   []claim // those that matter most
	All    []claim
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
	Resolves string
	P        string
	Source   string
	Finding  string
}

// claimsOf judges the claims of a paper, and takes out those that its study names first.
func claimsOf(p Paper) *claims {
	judged := p.Results.Claims()
	table := bench.ClaimsTable(p.Study, judged)
	shown := &claims{Title: table.Title, Notes: strings.Split(table.Note, "\n"), judged: judged}
	for _, verdict := range []certify.Verdict{certify.Holds, certify.Fails, certify.Unresolved, certify.Untestable} {
		c := count{Sign: *known(string(verdict)), Word: strings.TrimSuffix(string(verdict), "s")}
		for _, j := range judged {
			if j.Verdict == verdict {
				c.N++
			}
		}
		shown.Counts = append(shown.Counts, c)
	}
	texts := map[string]string{} // of the columns
	for i, j := range judged {
		for k, column := range table.Columns {
			texts[column.Name] = table.Rows[i].Cells[k].Text
		}
		shown.All = append(shown.All, claim{ID: fmt.Sprintf("%s-claim-%s", p.Study.Paper(), slug(j.Claim)),
			Text: j.Claim, Sign: *known(string(j.Verdict)), Quantity: lines(texts["Quantity"]),
			Resolves: texts["Resolves"], P: texts["p"], Source: texts["Source"], Finding: j.Finding})
	}
	for _, name := range p.Study.Main() {
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
