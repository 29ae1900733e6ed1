package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Format is the format of a table, chosen by --format or by --json, which means the same as --format json.
type Format struct{ Name string }

// Add adds the flags --format, with further names of formats, and --json.
func (f *Format) Add(flags *pflag.FlagSet, further ...string) {
	flags.StringVar(&f.Name, "format", "text", strings.Join(append(slices.Clone(report.Formats), further...), ", "))
	json := flags.VarPF((*asJSON)(f), "json", "", "the same as --format json: one object whose rows are records")
	json.NoOptDefVal = "true"
}

// Check returns a usage error for an unknown format.
func (f *Format) Check() error { return CheckFormat(f.Name) }

// JSON reports whether the format is json.
func (f *Format) JSON() bool { return f.Name == "json" }

// asJSON is a [Format] as the value of the flag --json.
type asJSON Format

func (f *asJSON) String() string { return strconv.FormatBool((*Format)(f).JSON()) }

func (f *asJSON) Type() string { return "bool" }

func (f *asJSON) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if on {
		f.Name = "json"
	}
	return err
}

// OutputFlags selects how a result is shown: as a table or a JSON object, and optionally as a figure.
type OutputFlags struct {
	Format
	figure     string
	figureFlag string
	Written    string // name of the written file, printed below the table
}

// Add adds the flags. object and figure describe their contents; figureFlag is the name of the figure's flag, or "".
func (f *OutputFlags) Add(flags *pflag.FlagSet, object, figureFlag, figure string) {
	f.figureFlag = figureFlag
	f.Format.Add(flags)
	flags.Lookup("json").Usage = "the same as --format json: one object with " + object
	if figureFlag == "" {
		return
	}
	flags.StringVar(&f.figure, figureFlag, "", "file for a figure"+figure+": .png, .svg or .pdf")
}

func (f *OutputFlags) Check() error {
	if f.figure != "" && Formats[figureFormat(f.figure)] == nil {
		return Usagef("--%s %q: a figure file must end in .png, .svg or .pdf", f.figureFlag, f.figure)
	}
	return f.Format.Check()
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
	if f.JSON() {
		return WriteJSON(stdout, object)
	}
	if err := ShowTable(stdout, table, f.Name); err != nil || f.Written == "" || f.Name != "text" {
		return err
	}
	_, err := fmt.Fprintln(stdout, f.Written)
	return err
}
