// Package figures draws the papers' figures.
package figures

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/report"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

type figureFlags struct {
	out, theme string
	formats    []string
	data, bare bool
	width      string
	study      studies.Flags
}

func Command() *cobra.Command {
	var flags figureFlags
	var listing strings.Builder
	for _, d := range drawings() {
		fmt.Fprintf(&listing, "  %-12s %-8s %s\n", d.paper, d.Name, d.About)
	}
	command := &cobra.Command{
		Use:   "figures [PAPER [FIGURE]]",
		Short: "Draw figures; without a paper all figures and the report page",
		Long: `Draw a figure, the figures of a paper, or all figures. Without a preset the figures show the richest
results that exist, and a line names their preset. Without a paper the command also writes the pages
of the verb report. In a notebook the figures appear in place.

For an article, --width makes figures as wide as a column of text, with letters of 7 to 9 points and
at most 9 inches high; panels that do not fit go to further files. --bare omits the title and the
caption, and writes them to FIGURE.txt and FIGURE.tex.

` + listing.String(),
		Example: studies.Examples("figures", "figures", printedFigure()+" --bare --width 3.3in --format pdf"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return cli.Usagef("expected a paper and a figure, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := choose(args)
			if err != nil {
				return err
			}
			if err := flags.check(); err != nil {
				return err
			}
			s := studies.NewReader(flags.study, c.ErrOrStderr())
			if s.Flags.Preset == "" {
				s.Flags.Preset, s.Existing = preset.Whole, true
			}
			switch {
			case flags.data:
				return writeData(c.OutOrStdout(), chosen, sourceOf(s))
			case kernelext.InNotebook():
				_, err = drawAll(c.Context(), c.OutOrStdout(), chosen, flags, sourceOf(s))
				return err
			}
			return cli.InFolder(flags.out, func(ctx context.Context) error {
				if len(args) == 0 {
					return writeFigures(ctx, c.OutOrStdout(), flags, s)
				}
				_, err := drawAll(ctx, c.OutOrStdout(), chosen, flags, sourceOf(s))
				return err
			})
		},
	}
	command.Flags().StringVar(&flags.out, "out", "out", "folder to write to")
	command.Flags().StringVar(&flags.theme, "theme", "light", "light or dark")
	command.Flags().StringSliceVar(&flags.formats, "format", []string{"png", "svg", "pdf"}, "files to write")
	command.Flags().BoolVar(&flags.bare, "bare", false, "omit title and caption, and write them as .txt and .tex")
	command.Flags().StringVar(&flags.width, "width", "", "width of the figures in in, cm, mm or pt, such as 3.3in")
	command.Flags().BoolVar(&flags.data, "data", false, "print the plotted numbers of one figure as JSON")
	flags.study.AddReading(command)
	return command
}

// writeFigures draws all figures and writes the report page of all papers.
func writeFigures(ctx context.Context, w io.Writer, flags figureFlags, s *studies.Reader) error {
	if _, err := drawAll(ctx, w, drawings(), flags, sourceOf(s)); err != nil {
		return err
	}
	return report.Write(ctx, w, flags.out, papers.Papers(), s)
}

// printedFigure returns the command line for a figure of printed numbers only.
func printedFigure() string {
	all := drawings()
	i := slices.IndexFunc(all, func(d drawing) bool { return d.Printed != nil })
	return "figures " + all[i].paper + " " + all[i].Name
}
