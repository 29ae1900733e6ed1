// Package audit implements the audit command, which checks a paper's printed numbers against each other.
package audit

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

func Command() *cobra.Command {
	var format cli.Format
	var only string
	var strict, every bool
	command := &cobra.Command{
		Use:   "audit [PAPER]",
		Short: "Check the papers' printed numbers against each other",
		Long: `Recompute every number that follows from other printed numbers, and classify each number:

  reproduced      it follows from other numbers, and they give the printed value
  consistent      the other numbers neither give nor refute it, within their rounding
  inconsistent    no values within the rounding of the other numbers give it
  not-derivable   it does not follow from printed numbers, like most measured values

A printed number represents the interval of all numbers that round to it. Without PAPER all papers
are checked: ` + strings.Join(papers.Audited(), ", ") + `.

Findings of the same check are shown together; --all shows each one, and --only contradictions shows
only the numbers that are inconsistent.`,
		Example: `  unlearnlab audit
  unlearnlab audit ` + papers.Audited()[0] + ` --only contradictions
  unlearnlab audit --only reproduced --format csv`,
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return nil
			case 1:
				return studies.CheckPaper(args[0])
			}
			return cli.Usagef("expected one paper, got %d arguments", len(args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := format.Check(); err != nil {
				return err
			}
			findings, err := findingsOf(args)
			if err != nil {
				return err
			}
			shown, err := filtered(findings, only)
			if err != nil {
				return err
			}
			if err := writeAudit(c.OutOrStdout(), shown, format.Name, every); err != nil {
				return err
			}
			if strict && slices.ContainsFunc(findings, func(f audit.Finding) bool {
				return f.Verdict == audit.Inconsistent
			}) {
				return cli.ErrCheck
			}
			return nil
		},
	}
	format.Add(command.Flags())
	command.Flags().StringVar(&only, "only", "", "show only one class: "+strings.Join(classes(), ", "))
	command.Flags().BoolVar(&strict, "strict", false, "exit with 3 if a number is inconsistent")
	command.Flags().BoolVar(&every, "all", false, "one line per number")
	return command
}

// contradictions is the value of --only for inconsistent numbers.
const contradictions = "contradictions"

// classes returns the possible values of --only.
func classes() []string {
	return []string{contradictions, string(audit.Inconsistent), string(audit.Consistent), string(audit.Reproduced),
		string(audit.NotDerivable)}
}

// filtered returns the findings of a class, or all findings if class is empty.
func filtered(findings []audit.Finding, class string) ([]audit.Finding, error) {
	if class == "" {
		return findings, nil
	}
	if !slices.Contains(classes(), class) {
		return nil, cli.Usagef("--only %q: give one of %s", class, strings.Join(classes(), ", "))
	}
	if class == contradictions {
		class = string(audit.Inconsistent)
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f audit.Finding) bool { return string(f.Verdict) != class }), nil
}

func findingsOf(args []string) ([]audit.Finding, error) {
	if len(args) == 0 {
		return papers.Audit()
	}
	return papers.Of(args[0]).Findings()
}

// byPaper calls do with the findings of each paper that has any.
func byPaper(findings []audit.Finding, do func(paper string, findings []audit.Finding) error) error {
	for _, paper := range papers.Papers() {
		of := slices.DeleteFunc(slices.Clone(findings), func(f audit.Finding) bool { return f.Paper != paper })
		if len(of) == 0 {
			continue
		}
		if err := do(paper, of); err != nil {
			return err
		}
	}
	return nil
}

func writeAudit(w io.Writer, findings []audit.Finding, format string, every bool) error {
	switch format {
	case "json", "csv":
		return report.Records{Rows: findings}.Write(w, format)
	case "text":
		if kernelext.InNotebook() {
			break
		}
		return byPaper(findings, func(paper string, of []audit.Finding) error {
			return writeFindings(w, paper, of, every)
		})
	}
	return byPaper(findings, func(paper string, of []audit.Finding) error {
		return cli.ShowTable(w, audit.Table(papers.Of(paper).Title(), of, every), format)
	})
}

// verdictSigns holds the sign printed before each verdict.
var verdictSigns = map[audit.Verdict]string{audit.Reproduced: "=", audit.Consistent: "~", audit.Inconsistent: "!",
	audit.NotDerivable: "."}

// writeFindings writes a paper's findings for a terminal.
func writeFindings(w io.Writer, paper string, findings []audit.Finding, every bool) error {
	var out strings.Builder
	width := cli.ViewOf(w).Width
	writeFilled(&out, "", fmt.Sprintf("%s: %s", papers.Of(paper).Title(), audit.Summary(findings)[0]), width)
	for _, g := range audit.Sorted(findings) {
		writeGroup(&out, g, every, width)
	}
	out.WriteString("\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// reasonWidth is the maximum width of a reason's lines.
const reasonWidth = 110

func writeGroup(out *strings.Builder, g audit.Group, every bool, width int) {
	count := ""
	if len(g.Findings) > 1 {
		count = fmt.Sprintf(" (%d numbers)", len(g.Findings))
	}
	head := fmt.Sprintf("%s %-13s %-9s ", verdictSigns[g.Verdict], g.Verdict, g.Item)
	writeFilled(out, head, g.Check+count, width)
	if g.Listed(every) {
		for _, f := range g.Findings {
			writeFilled(out, "      ", f.Place()+values(f), width)
		}
	}
	if width == 0 || width > reasonWidth+4 {
		width = reasonWidth + 4
	}
	writeFilled(out, "    ", g.Reason, width)
}

// writeFilled writes text after head and aligns its other lines with the first. A width of 0 is unlimited. If text is
// empty, it writes nothing.
func writeFilled(out *strings.Builder, head, text string, width int) {
	indent := utf8.RuneCountInString(head)
	if width > 0 {
		width = max(width-indent, 20)
	}
	if text == "" {
		return
	}
	for i, line := range strings.Split(report.Filled(text, width), "\n") {
		if i > 0 {
			head = strings.Repeat(" ", indent)
		}
		out.WriteString(head + line + "\n")
	}
}

// values describes the printed and the computed value, or returns "" if a finding has neither.
func values(f audit.Finding) string {
	var parts []string
	if f.Printed != "" {
		parts = append(parts, "printed "+f.Printed)
	}
	if f.Computed != "" {
		parts = append(parts, "computed "+f.Computed)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
