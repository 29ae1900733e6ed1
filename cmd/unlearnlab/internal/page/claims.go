package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// claims holds a paper's claims with their verdicts.
type claims struct {
	Title  string
	Counts []count // number of claims by verdict
	All    []claim
	Frame  string // sentences on how the models differ from the paper's
	Notes  []string

	judged []certify.Judged
}

// count is the number of claims with one verdict.
type count struct {
	Sign
	N    int
	Word string // verdict in words, such as "hold"
}

type claim struct {
	ID, Text string
	Sign
	Quantity []string
	Family   string
	Alone    string // uncorrected p-value
	P        string // corrected p-value
	Agree    string // how many repetitions are on the same side of zero
	Resolves string
	Margin   string
	Source   string
	Finding  string
	Guest    bool // whether the claim is about a user's model
	Headline bool // whether the claim is in the abstract, the contributions or the conclusion
}

// Tally counts the paper's claims, without claims about guests.
func (c *claims) Tally() study.Tally { return study.TallyOf(c.judged) }

// Shown counts all claims by verdict, including those about guests. It omits verdicts that no claim has.
func (c *claims) Shown() (counts []count) {
	number := map[string]int{}
	for _, claim := range c.All {
		number[claim.Verdict]++
	}
	for _, sign := range signs {
		if n := number[sign.Verdict]; n > 0 {
			counts = append(counts, count{Sign: sign, N: n})
		}
	}
	return counts
}

// claimsOf judges a paper's claims.
func claimsOf(p Paper) *claims {
	judged := p.Study.AnswersOf(p.Results)
	table := study.ClaimsTable(p.Study, judged, p.Results.Frame())
	shown := &claims{Title: table.Title, Frame: p.Results.Frame(), Notes: strings.Split(table.Note, "\n"),
		judged: judged}
	shown.Counts = countVerdicts(judged)
	texts := map[string]string{} // cell texts by column
	for i, j := range judged {
		for k, column := range table.Columns {
			texts[column.Name] = table.Rows[i].Cells[k].Text
		}
		c := claim{ID: fmt.Sprintf("%s-claim-%s", p.Study.Paper, slug(j.Claim)), Text: j.Claim,
			Sign: *signOf(study.VerdictOf(j)), Quantity: lines(texts["Quantity"]), Family: j.Family,
			Margin: j.Margin, Source: texts["Source"], Finding: j.Finding, Guest: j.Guest, Headline: j.Family == certify.Headline}
		if texts["Needs"] != "" {
			c.Finding = "Needs " + texts["Needs"] + "."
		}
		if !math.IsNaN(j.P) {
			c.Alone, c.P, c.Agree = certify.PText(j.P), certify.PText(j.PAdjusted), certify.AgreeText(j.Agree, j.Repeated)
		}
		if !math.IsNaN(j.Resolves) {
			c.Resolves = fmt.Sprintf("%.3f", j.Resolves)
		}
		shown.All = append(shown.All, c)
	}
	return shown
}

func (p *paper) claimID(name string) string { return p.Name + "-claim-" + slug(name) }

// countVerdicts counts the paper's claims by verdict, without claims about guests.
func countVerdicts(judged []certify.Judged) (counts []count) {
	for _, c := range study.TallyOf(judged).Verdicts() {
		counts = append(counts, count{Sign: *signOf(c.Verdict), N: c.N, Word: c.Words})
	}
	return counts
}

// lines returns the nonempty lines of a text.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return line == "" })
}
