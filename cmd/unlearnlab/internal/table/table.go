// Package table prints the papers' tables.
package table

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func Command() *cobra.Command {
	var shown tableView
	var records recordFlags
	var against, judged string
	var asPrinted, certified bool
	var flags studies.Flags
	command := &cobra.Command{
		Use:   "table PAPER N",
		Short: "Print a table of a paper: re-run, certified, or as printed",
		Long: `Print a table of a paper. PAPER is ` + strings.Join(papers.Papers(), ", ") + `. N is the number
of a table or the name of another item: figure2 (numbers in a caption), text (numbers in the running
text). Without arguments the command lists them, and the tables that are not in the papers.

The table comes from the re-run of the paper's study at a preset. Missing results are computed first
if that takes minutes; otherwise only complete repetitions are shown. --certified compares each
value with its target, --certified --numbers also prints the numbers with their intervals, and
--printed prints the paper's own numbers. With --printed, --format csv gives the transcription with
the columns row, column, value, spread, unit, n and source, every value exactly as printed.

--format eee writes the re-run's table to the folder of --out as records of Every Eval Ever with
intervals, verdicts and one line per example; --format hf as .eval_results for the model pages of
Hugging Face, whose benchmark is --dataset and whose source is --page.`,
		Example: studies.Examples("table"),
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return shown.Check()
			case 1:
				return cli.Usagef("expected a paper and a table's number; unlearnlab table lists them")
			}
			return cli.ExactArgs(2, "a paper and a table's number")(nil, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listItems(c.OutOrStdout(), shown.Name)
			}
			if shown.numbers && !certified {
				return cli.Usagef("--numbers needs --certified")
			}
			paper, number := args[0], args[1]
			if records.wanted(shown.Name) {
				other := asPrinted || certified || judged != "" || against != ""
				if err := records.check(shown.Name, paper, number, other); err != nil {
					return err
				}
				return flags.Richest(paper, c.ErrOrStderr(), func(flags studies.Flags) error {
					return records.write(c, paper, number, shown, flags)
				})
			}
			if c.Flags().Changed("against") && !asPrinted {
				return flags.Richest(paper, c.ErrOrStderr(), func(flags studies.Flags) error {
					return againstTable(c, paper, number, against, judged, shown, flags)
				})
			}
			if !asPrinted && studies.IsReproduced(paper, number) {
				return flags.Richest(paper, c.ErrOrStderr(), func(flags studies.Flags) error {
					return showReproduced(c, paper, number, shown, certified, judged, flags)
				})
			}
			if judged != "" {
				return cli.Usagef("--judged needs a reproduced table: %s, without --printed", studies.ListReproduced())
			}
			if studies.IsFurther(paper, number) && !asPrinted && !certified {
				return flags.Richest(paper, c.ErrOrStderr(), func(flags studies.Flags) error {
					return showExtra(c, paper, number, shown, flags)
				})
			}
			if certified {
				return cli.Usagef("--certified needs a reproduced table: %s, without --printed",
					studies.ListReproduced())
			}
			return printTable(c.OutOrStdout(), paper, number, shown)
		},
	}
	shown.addFlags(command)
	records.add(command)
	command.Flags().BoolVar(&asPrinted, "printed", false, "print the paper's own numbers")
	command.Flags().BoolVar(&certified, "certified", false, "print the table with verdicts")
	command.Flags().StringVar(&against, "against", "", "print paired differences from this row: a full row name, or a "+
		"method at the budget of each row")
	command.Flags().StringVar(&judged, "judged", "", "file with your own judge's scores of a study's answers, as "+
		"written by unlearnlab judge")
	flags.AddReading(command)
	return command
}

func printTable(w io.Writer, paper, number string, shown tableView) error {
	if err := studies.CheckPaper(paper); err != nil {
		return err
	}
	if err := shown.check(shown.Name == "csv" || shown.Name == "json"); err != nil {
		return err
	}
	item := paperdata.ItemName("table", number)
	if names := tableNames(paper); !slices.Contains(paperdata.ItemsOf(paper), item) {
		if slices.Contains(names, number) { // the study makes the table, but the paper does not print it
			return &study.Unsupported{Paper: paper, What: "printed table " + number}
		}
		hint := "its tables are " + strings.Join(names, ", ")
		if near := spelling.Nearest(number, names); near != "" && item == number { // suggest names, but not numbers
			hint = fmt.Sprintf("do you mean %s?", near)
		}
		return cli.Usagef("%s has no table %q; %s", paper, number, hint)
	}
	switch shown.Name {
	case "csv":
		raw, err := paperdata.Raw(paper, item)
		if err != nil {
			return err
		}
		_, err = w.Write(raw)
		return err
	case "json":
		return writeCells(w, paper, item)
	}
	table, err := papers.Of(paper).PrintedTable(item)
	if err != nil {
		return err
	}
	return shown.show(w, table, paper, number, "")
}

// writeCells writes the cells of a printed item as one JSON object.
func writeCells(w io.Writer, paper, item string) error {
	cells, err := paperdata.Open(paper, item)
	if err != nil {
		return err
	}
	type row struct {
		Row     string `json:"row"`
		Column  string `json:"column"`
		Printed string `json:"printed"`
		Spread  string `json:"spread,omitempty"`
		Unit    string `json:"unit,omitempty"`
		N       string `json:"n,omitempty"`
		Source  string `json:"source"`
	}
	rows := make([]row, len(cells))
	for i, c := range cells {
		rows[i] = row{c.Row, c.Column, c.Value, c.Spread, c.Unit, c.N, c.Source}
	}
	return report.Records{Paper: paper, Table: item, Rows: rows}.JSON(w)
}

// listItems lists the tables and other items of all papers. As JSON and CSV, it prints one record per item.
func listItems(w io.Writer, format string) error {
	if format == "json" || format == "csv" {
		return report.Records{Rows: items()}.Write(w, format)
	}
	for _, paper := range papers.Papers() {
		if _, err := fmt.Fprintf(w, "%-12s %s\n", paper, strings.Join(tableNames(paper), " ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nTables that are not in the papers:\n\n%s", listExtraTables())
	return err
}

// item is the record of a table.
type item struct {
	Paper string `json:"paper"`
	Table string `json:"table"`
	About string `json:"about"` // contents of a table that is not in the paper
}

func items() (all []item) {
	for _, paper := range papers.Papers() {
		further := studies.FurtherTables(papers.Of(paper))
		for _, name := range tableNames(paper) {
			own := item{Paper: paper, Table: name}
			if at := slices.IndexFunc(further, func(t study.Item) bool { return t.Name == name }); at >= 0 {
				own.About = further[at].About
			}
			all = append(all, own)
		}
	}
	return all
}

// tableNames returns the names accepted for a paper: tables by number, other items by name, the tables that the study
// makes without a printed one, and the study's additional tables.
func tableNames(paper string) []string {
	names := paperdata.ItemsOf(paper)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "table")
	}
	s := papers.Of(paper)
	for _, t := range slices.Concat(s.Tables, studies.FurtherTables(s)) {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}
