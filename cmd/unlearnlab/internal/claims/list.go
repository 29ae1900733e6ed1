package claims

import (
	"fmt"
	"io"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// claimColumns is the width below which claims are printed as a list, because a table's columns would be too narrow.
const claimColumns = 120

// verdictColumns is the width of the verdict column at the left of a list of claims.
const verdictColumns = len(study.NotSeen) + 2

// writeClaimList writes claims for a narrow terminal: each claim with its numbers and, if there is one, the finding.
func writeClaimList(w io.Writer, t *report.Table, judged []certify.Judged, width int) error {
	var out strings.Builder
	out.WriteString(report.Filled(t.Title, width) + "\n\n")
	texts := map[string]string{}
	for i, row := range t.Rows {
		for k, column := range t.Columns {
			texts[column.Name] = strings.Join(strings.Fields(row.Cells[k].Text), " ")
		}
		var found []string
		for _, part := range []struct{ before, text string }{{"", texts["Quantity"]},
			{"p uncorrected ", texts["p uncorrected"]}, {"p ", texts["p"]},
			{"detectable effect ", texts["Detectable effect"]},
			{"needs ", texts["Needs"]}, {"margin or bound ", texts["Margin or bound"]}, {"", texts["Family"]}, {"", texts["Source"]}} {
			if part.text != "" {
				found = append(found, part.before+part.text)
			}
		}
		lines := []string{row.Name, strings.Join(found, "; ")}
		if judged[i].Finding != "" {
			lines = append(lines, judged[i].Finding)
		}
		lines = strings.Split(report.Filled(strings.Join(lines, "\n"), width-verdictColumns), "\n")
		fmt.Fprintf(&out, "%-*s%s\n", verdictColumns, texts["Verdict"], lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(&out, "%*s%s\n", verdictColumns, "", line)
		}
	}
	out.WriteString("\n" + report.Filled(t.Note, width) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}
