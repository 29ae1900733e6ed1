package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func claimsCommand() *cobra.Command {
	var flags studyFlags
	var asJSON, strict bool
	var format string
	command := &cobra.Command{
		Use:   "claims [PAPER]",
		Short: "Print a paper's claims, and which of them hold in the re-run",
		Long: `List a paper's claims and judge each one on the raw scores of the re-run. A claim holds, is not
seen at this size, or stays unresolved; it is untestable if a study of this size could not have
detected it. Its p-value is corrected within its family, which is the headline or the claim's
section. A claim that is not seen in small models is not thereby refuted. Claims that the paper's
own printed numbers contradict are marked.`,
		Example: examples("claims"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("expected a paper, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			papers := args
			if len(papers) == 0 {
				papers = papersAt(flags.preset)
			}
			judged, frames := []certify.Judged{}, map[string]string{}
			for _, paper := range papers {
				o, err := openStudy(paper, flags, c.ErrOrStderr())
				if err != nil {
					return err
				}
				r, err := o.results()
				if len(args) == 0 && errors.As(err, new(*shortage)) {
					fmt.Fprintln(c.ErrOrStderr(), err)
					continue
				}
				if err != nil {
					return err
				}
				judged, frames[paper] = append(judged, r.Claims()...), r.Frame()
			}
			if err := writeClaims(c.OutOrStdout(), judged, frames, asJSON, format); err != nil {
				return err
			}
			return checkStrict(strict, judged)
		},
	}
	flags.addReading(command)
	command.Flags().BoolVar(&asJSON, "json", false, "a list of JSON objects")
	command.Flags().BoolVar(&strict, "strict", false, "exit with 3 if a claim fails")
	command.Flags().StringVar(&format, "format", "text", "text, md, html, tex, csv, json")
	return command
}

func checkStrict(strict bool, judged []certify.Judged) error {
	for _, j := range judged {
		if strict && j.Verdict == certify.Fails {
			return errCheck
		}
	}
	return nil
}

func writeClaims(w io.Writer, judged []certify.Judged, frames map[string]string, asJSON bool,
	format string) error {
	if asJSON {
		return writeJSON(w, judged)
	}
	if width := viewOf(w).Width; format == "text" && width > 0 && width < claimColumns {
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
	tables := claimsTables(judged, frames)
	if len(tables) > 1 && (format == "csv" || format == "json") { // formats that hold a single table
		for _, t := range tables[1:] {
			tables[0].Rows = append(tables[0].Rows, t.Rows...)
		}
		tables = tables[:1]
	}
	for _, t := range tables {
		if err := showTable(w, t, format); err != nil {
			return err
		}
	}
	if format != "text" || kernelext.InNotebook() {
		return nil
	}
	count := report.Filled(study.ClaimCounts(judged)+" at this preset", viewOf(w).Width)
	_, err := fmt.Fprintf(w, "\n%s\n", count)
	return err
}

// claimsTables returns a table of claims for each paper.
func claimsTables(judged []certify.Judged, frames map[string]string) []*report.Table {
	var tables []*report.Table
	for _, paper := range papers.Papers() {
		if of := claimsOf(judged, paper); len(of) > 0 {
			tables = append(tables, study.ClaimsTable(papers.Of(paper), of, frames[paper]))
		}
	}
	return tables
}

// claimsOf returns the claims of a paper.
func claimsOf(judged []certify.Judged, paper string) []certify.Judged {
	return slices.DeleteFunc(slices.Clone(judged), func(j certify.Judged) bool { return j.Paper != paper })
}
