package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// outputFlags selects how a result is shown: as a table or a JSON object, and optionally as a figure.
type outputFlags struct {
	format, figure string
	asJSON         bool
	figureFlag     string
	written        string // file to name below the table
}

// add adds the flags. object and figure describe their contents; figureFlag is the name of the figure's flag, or "".
func (f *outputFlags) add(flags *pflag.FlagSet, object, figureFlag, figure string) {
	f.figureFlag = figureFlag
	flags.StringVar(&f.format, "format", "text", strings.Join(report.Formats, ", "))
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON object with "+object)
	if figureFlag == "" {
		return
	}
	flags.StringVar(&f.figure, figureFlag, "", "file for a figure"+figure+": .png, .svg or .pdf")
}

func (f *outputFlags) check() error {
	if f.figure != "" && formats[figureFormat(f.figure)] == nil {
		return usagef("--%s %q: a figure file must end in .png, .svg or .pdf", f.figureFlag, f.figure)
	}
	return checkFormat(f.format)
}

// draw writes the figure, if requested. It precedes all printing, because it can fail.
func (f *outputFlags) draw(draw func() (*plots.Figure, error)) error {
	if f.figure == "" {
		return nil
	}
	f.written = f.figure
	return writeFigure(f.figure, draw)
}

// show prints the object or the table, and the name of the written file.
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
