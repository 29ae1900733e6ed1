package table

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/exchange"
)

// recordFormats lists the exchange formats, which write files: Every Eval Ever and Hugging Face.
var recordFormats = []string{"eee", "hf"}

// recordFlags holds the flags of the exchange formats.
type recordFlags struct{ out, dataset, page string }

func (f *recordFlags) add(command *cobra.Command) {
	command.Flags().StringVar(&f.out, "out", "", "with --format eee or hf: folder to write to")
	command.Flags().StringVar(&f.dataset, "dataset", "",
		"with --format hf: the benchmark on Hugging Face, OWNER/NAME")
	command.Flags().StringVar(&f.page, "page", "",
		"with --format hf: address of a page with the intervals, such as a published report")
}

// wanted reports whether a format, or a flag for it, was given.
func (f *recordFlags) wanted(format string) bool {
	return slices.Contains(recordFormats, format) || *f != (recordFlags{})
}

// check rejects incompatible flags. other is set if other flags request anything but the plain reproduced table.
func (f *recordFlags) check(format, paper, number string, other bool) error {
	switch {
	case !slices.Contains(recordFormats, format):
		return cli.Usagef("--out, --dataset and --page need --format eee or hf")
	case f.out == "":
		return cli.Usagef("--format %s writes files: give a folder by --out", format)
	case other:
		return cli.Usagef("--format %s has the re-run's numbers and verdicts: remove --printed, --certified, --judged and "+
			"--against", format)
	case format == "eee" && (f.dataset != "" || f.page != ""):
		return cli.Usagef("--dataset and --page are for --format hf")
	case format == "hf" && strings.Count(f.dataset, "/") != 1:
		return cli.Usagef("--dataset %q: name the benchmark on Hugging Face as OWNER/NAME", f.dataset)
	case f.page != "" && !strings.HasPrefix(f.page, "https://"):
		return cli.Usagef("--page %q: give an address that begins with https://", f.page)
	}
	if err := studies.CheckPaper(paper); err != nil {
		return err
	}
	if !studies.IsReproduced(paper, number) {
		return cli.Usagef("--format %s needs a reproduced table: %s", format, studies.ListReproduced())
	}
	return nil
}

// write writes records of a table's chosen cells and prints the paths.
func (f *recordFlags) write(c *cobra.Command, paper, number string, shown tableView, flags studies.Flags) error {
	o, err := studies.Open(paper, flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	r, err := o.Results(number)
	if err != nil {
		return err
	}
	cells, err := r.Cells(number)
	if err != nil {
		return err
	}
	table, err := r.Table(number, true) // a certified table has all columns
	if err != nil {
		return err
	}
	if cells, err = shown.cells(cells, table); err != nil {
		return err
	}
	records := exchange.Table{Study: papers.Of(paper), Results: r, Number: number, Preset: o.Preset, Cells: cells,
		Version: cli.Release(), Time: time.Now(), Dataset: f.dataset, Page: f.page}
	write := records.WriteEveryEvalEver
	if shown.Name == "hf" {
		write = records.WriteHuggingFace
	}
	paths, err := write(f.out)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("table %s of %s has no measured numbers to write", number, paper)
	}
	if err != nil {
		return err
	}
	for _, path := range paths {
		if _, err := fmt.Fprintln(c.OutOrStdout(), path); err != nil {
			return err
		}
	}
	return nil
}

// cells returns the cells in the rows and columns that the flags select.
func (v tableView) cells(cells []certify.Cell, table *report.Table) ([]certify.Cell, error) {
	chosen, err := table.Choose(v.columns, v.rows)
	if err == nil {
		chosen, err = chosen.Methods(v.methods)
	}
	if err != nil {
		return nil, cli.Usage(err)
	}
	kept := slices.DeleteFunc(slices.Clone(cells), func(c certify.Cell) bool {
		return !slices.ContainsFunc(chosen.Rows, func(r report.Row) bool { return r.Name == c.Row }) ||
			!slices.ContainsFunc(chosen.Columns, func(col report.Column) bool { return col.Name == c.Column })
	})
	return kept, nil
}
