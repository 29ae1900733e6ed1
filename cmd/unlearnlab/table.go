package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

func tableCommand() *cobra.Command {
	var shown tableView
	var against, judged string
	var asPrinted, certified bool
	var flags studyFlags
	command := &cobra.Command{
		Use:   "table PAPER N",
		Short: "Print a table of a paper: ours, certified, or as printed",
		Long: `Print a table of a paper. PAPER is ` + strings.Join(paperdata.Names, ", ") + `. N is the number
of a table or the name of another item: figure2 (numbers in a caption), text (numbers in the running
text). Without arguments the items are listed.

The table comes from the re-run of the paper's study at a preset. What is missing is computed first,
if that takes minutes; if it takes longer, the repetitions are shown that are whole, or nothing.
--certified shows where each value lies beside its target, --certified --numbers also the numbers
with their intervals; --printed gives the paper's own numbers.
With --printed the format csv gives the transcription with the columns row, column, value, spread,
unit, n and source, every value exactly as printed.

Studies also have tables that their papers lack:

` + furtherTables(),
		Example: examples("table"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactArgs(2, "a paper and a table's number")(nil, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listItems(c.OutOrStdout())
			}
			if shown.numbers && !certified {
				return usagef("--numbers are those of a certified table; add --certified")
			}
			if c.Flags().Changed("against") && !asPrinted {
				return againstTable(c, args[0], args[1], against, judged, shown, flags)
			}
			if !asPrinted && made(args[0], args[1]) {
				return madeTable(c, args[0], args[1], shown, certified, judged, flags)
			}
			if judged != "" {
				return usagef("--judged needs a table that is made again: %s, without --printed", madeTables())
			}
			if further(args[0], args[1]) && !asPrinted && !certified {
				return showFurther(c, args[0], args[1], shown, flags)
			}
			if certified {
				return usagef("--certified needs a table that is made again: %s, without --printed", madeTables())
			}
			return printTable(c.OutOrStdout(), args[0], args[1], shown)
		},
	}
	shown.add(command)
	command.Flags().BoolVar(&asPrinted, "printed", false, "the paper's own numbers")
	command.Flags().BoolVar(&certified, "certified", false, "with verdicts, at a glance")
	command.Flags().StringVar(&against, "against", "", "how far every row lies from this one, paired: a row in full, "+
		"or a method at the budget of each row")
	command.Flags().StringVar(&judged, "judged", "", "scores of a judge of your own for the answers of a study, as "+
		"unlearnlab judge writes them")
	flags.addReading(command)
	return command
}

// checkPaper refuses an unknown paper.
func checkPaper(name string) error {
	if !slices.Contains(paperdata.Names, name) {
		return usagef("there is no paper %q; the papers are %s", name, strings.Join(paperdata.Names, ", "))
	}
	return nil
}

// checkFormat refuses a format in which no table is written.
func checkFormat(name string) error {
	if !slices.Contains(report.Formats, name) {
		return usagef("there is no format %q; the formats are %s", name, strings.Join(report.Formats, ", "))
	}
	return nil
}

func printTable(w io.Writer, paper, number string, shown tableView) error {
	if err := checkPaper(paper); err != nil {
		return err
	}
	if err := shown.check(shown.format == "csv" || shown.format == "json"); err != nil {
		return err
	}
	item := number
	if strings.Trim(number, "0123456789") == "" {
		item = "table" + number
	}
	if !slices.Contains(paperdata.ItemsOf(paper), item) {
		names := tableNames(paper)
		hint := "it has " + strings.Join(names, ", ")
		if near := spelling.Nearest(number, names); near != "" && item == number { // any number is near to another
			hint = fmt.Sprintf("do you mean %s?", near)
		}
		return usagef("%s has no table %q; %s", paper, number, hint)
	}
	switch shown.format {
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
	table, err := printed.Table(paper, item)
	if err != nil {
		return err
	}
	return shown.show(w, table)
}

// showTable writes a table; in a notebook the default format is a table in place.
func showTable(w io.Writer, table *report.Table, format string) error {
	return showTableIn(w, table, format, viewOf(w))
}

// showTableIn is showTable in a view.
func showTableIn(w io.Writer, table *report.Table, format string, view report.View) error {
	switch {
	case format != "text":
		return table.Write(w, format)
	case kernelext.InNotebook():
		kernelext.Table(table)
		return nil
	}
	return table.Show(w, view)
}

// writeCells writes an item's cells as one JSON object.
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
	return writeJSON(w, struct {
		Paper string `json:"paper"`
		Table string `json:"table"`
		Rows  []row  `json:"rows"`
	}{paper, item, rows})
}

// writeJSON writes what machines read: one value, indented, with a line end.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

func listItems(w io.Writer) error {
	for _, paper := range paperdata.Names {
		if _, err := fmt.Fprintf(w, "%-12s %s\n", paper, strings.Join(tableNames(paper), " ")); err != nil {
			return err
		}
	}
	return nil
}

// tableNames are what the verb takes of a paper: tables by their numbers, others by their names, and what its study has
// beside them.
func tableNames(paper string) []string {
	names := paperdata.ItemsOf(paper)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "table")
	}
	for _, t := range besides(papers.Of(paper)) {
		names = append(names, t.Name)
	}
	return names
}
