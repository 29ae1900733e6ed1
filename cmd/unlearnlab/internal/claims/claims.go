// Package claims prints the claims of the papers with their verdicts.
package claims

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func Command() *cobra.Command {
	var flags studies.Flags
	var strict bool
	var format cli.Format
	command := &cobra.Command{
		Use:   "claims [PAPER]",
		Short: "Print a paper's claims, and which of them hold in the re-run",
		Long: `List a paper's claims and judge each one on the raw scores of the re-run. A claim holds, is not
seen at this size, or stays unresolved; it is untestable if a study of this size could not have
detected it. Its p-value is corrected within its family, which is the headline or the claim's
section. A claim that is not seen in small models is not thereby refuted. Claims that the paper's
own printed numbers contradict are marked.`,
		Example: studies.Examples("claims"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("expected a paper, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := format.Check(); err != nil {
				return err
			}
			papers := args
			if len(papers) == 0 {
				papers = studies.PapersAt(flags.Preset)
			}
			judged, frames := []certify.Judged{}, map[string]string{}
			anyPreset := flags.Preset == ""
			for _, paper := range papers {
				err := flags.Richest(paper, c.ErrOrStderr(), func(flags studies.Flags) error {
					o, err := studies.Open(paper, flags, c.ErrOrStderr())
					if err != nil {
						return err
					}
					r, err := o.Results()
					if err != nil {
						return err
					}
					frames[paper] = r.Frame()
					if anyPreset {
						judged = append(judged, o.Study.AnswersOf(r)...)
					} else {
						judged = append(judged, r.Claims()...)
					}
					return nil
				})
				if len(args) == 0 && errors.As(err, new(*studies.Shortage)) {
					fmt.Fprintln(c.ErrOrStderr(), err)
					continue
				}
				if err != nil {
					return err
				}
			}
			if err := writeClaims(c.OutOrStdout(), judged, frames, format.Name); err != nil {
				return err
			}
			return checkStrict(strict, judged)
		},
	}
	flags.AddReading(command)
	format.Add(command.Flags())
	command.Flags().BoolVar(&strict, "strict", false, "exit with 3 if a claim fails")
	return command
}

func checkStrict(strict bool, judged []certify.Judged) error {
	for _, j := range judged {
		if strict && j.Verdict == certify.Fails && !j.Guest {
			return cli.ErrCheck
		}
	}
	return nil
}

func writeClaims(w io.Writer, judged []certify.Judged, frames map[string]string, format string) error {
	tables := tables(judged, frames)
	if format == "json" || format == "csv" {
		return records(judged, tables).Write(w, format)
	}
	if width := cli.ViewOf(w).Width; format == "text" && width > 0 && width < claimColumns {
		for _, paper := range papers.Papers() {
			of := claimsOf(judged, paper)
			if len(of) == 0 {
				continue
			}
			table := study.ClaimsTable(papers.Of(paper), of, frames[paper])
			if err := writeClaimList(w, table, of, width); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range tables {
		if err := cli.ShowTable(w, t, format); err != nil {
			return err
		}
	}
	if format != "text" || kernelext.InNotebook() || len(tables) < 2 { // the note of a single table counts
		return nil
	}
	count := report.Filled("All papers: "+study.ClaimCounts(judged), cli.ViewOf(w).Width)
	_, err := fmt.Fprintf(w, "\n%s\n", count)
	return err
}

// records returns the claims with the verdicts that the tables print, and the notes of the tables.
func records(judged []certify.Judged, tables []*report.Table) report.Records {
	rows := slices.Clone(judged)
	for i, j := range judged {
		rows[i].Verdict = certify.Verdict(study.VerdictOf(j))
	}
	var notes []string
	for _, t := range tables {
		notes = append(notes, t.Title+": "+t.Note)
	}
	return report.Records{Note: strings.Join(notes, "\n"), Rows: rows}
}

// tables returns the table of claims of each paper that has any.
func tables(judged []certify.Judged, frames map[string]string) []*report.Table {
	var tables []*report.Table
	for _, paper := range papers.Papers() {
		if of := claimsOf(judged, paper); len(of) > 0 {
			tables = append(tables, study.ClaimsTable(papers.Of(paper), of, frames[paper]))
		}
	}
	return tables
}

func claimsOf(judged []certify.Judged, paper string) []certify.Judged {
	return slices.DeleteFunc(slices.Clone(judged), func(j certify.Judged) bool { return j.Paper != paper })
}
