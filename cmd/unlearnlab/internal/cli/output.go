package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// OutputFlags selects how a result is shown: as a table or a JSON object, and optionally as a figure.
type OutputFlags struct {
	Format, figure string
	AsJSON         bool
	figureFlag     string
	Written        string // name of the written file, printed below the table
}

// Add adds the flags. object and figure describe their contents; figureFlag is the name of the figure's flag, or "".
func (f *OutputFlags) Add(flags *pflag.FlagSet, object, figureFlag, figure string) {
	f.figureFlag = figureFlag
	flags.StringVar(&f.Format, "format", "text", strings.Join(report.Formats, ", "))
	flags.BoolVar(&f.AsJSON, "json", false, "print one JSON object with "+object)
	if figureFlag == "" {
		return
	}
	flags.StringVar(&f.figure, figureFlag, "", "file for a figure"+figure+": .png, .svg or .pdf")
}

func (f *OutputFlags) Check() error {
	if f.figure != "" && Formats[figureFormat(f.figure)] == nil {
		return Usagef("--%s %q: a figure file must end in .png, .svg or .pdf", f.figureFlag, f.figure)
	}
	return CheckFormat(f.Format)
}

// Draw writes the figure, if requested. Call it before printing, because it can fail.
func (f *OutputFlags) Draw(draw func() (*plots.Figure, error)) error {
	if f.figure == "" {
		return nil
	}
	f.Written = f.figure
	return writeFigure(f.figure, draw)
}

// Show prints the object or the table, and the name of the written file.
func (f *OutputFlags) Show(stdout io.Writer, table *report.Table, object any) error {
	if f.AsJSON {
		return WriteJSON(stdout, object)
	}
	if err := ShowTable(stdout, table, f.Format); err != nil || f.Written == "" || f.Format != "text" {
		return err
	}
	_, err := fmt.Fprintln(stdout, f.Written)
	return err
}
