package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// outputFlags say how a result is shown: as a table or an object, and in a figure, where there is one.
type outputFlags struct {
	format, figure string
	asJSON         bool
	figureFlag     string
	written        string // a file that is named below the table
}

// add adds the flags, with what the object and the figure hold; the figure's flag has a name of its own, "" for none.
func (f *outputFlags) add(flags *pflag.FlagSet, object, figureFlag, figure string) {
	f.figureFlag = figureFlag
	flags.StringVar(&f.format, "format", "text", strings.Join(report.Formats, ", "))
	flags.BoolVar(&f.asJSON, "json", false, "one JSON object with "+object)
	if figureFlag == "" {
		return
	}
	flags.StringVar(&f.figure, figureFlag, "", "file for a figure"+figure+": .png, .svg or .pdf")
}

func (f *outputFlags) check() error {
	if f.figure != "" && formats[figureFormat(f.figure)] == nil {
		return usagef("--%s %q: a figure is written as .png, .svg or .pdf", f.figureFlag, f.figure)
	}
	return checkFormat(f.format)
}

// draw writes the figure, if one is wanted. It comes before anything is printed, because it can fail.
func (f *outputFlags) draw(draw func() (*plots.Figure, error)) error {
	if f.figure == "" {
		return nil
	}
	f.written = f.figure
	return writeFigure(f.figure, draw)
}

// show prints the object or the table, and the file that was written.
func (f *outputFlags) show(stdout io.Writer, table *report.Table, object any) error {
	if f.asJSON {
		return writeJSON(stdout, object)
	}
	if err := showTable(stdout, table, f.format); err != nil || f.written == "" || f.format != "text" {
		return err
	}
	_, err := fmt.Fprintln(stdout, f.written)
	return err
}
