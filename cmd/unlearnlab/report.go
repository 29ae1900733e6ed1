package main

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/page"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext"
	drawn "github.com/unlearnlab/unlearnlab/plots/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

func reportCommand() *cobra.Command {
	var flags studyFlags
	var out string
	command := &cobra.Command{
		Use:   "report [PAPER…]",
		Short: "One page that shows everything, to be opened from a file",
		Long: `Write one page of all papers, or of some: what holds and what does not, every table and figure
beside the printed one, the audit, what it has cost, and where each number is from. The page loads
nothing, so that it can be opened from a folder and sent by mail.

Nothing is computed. Of each study the page shows the largest preset up to --preset of which there
are whole repetitions, shipped or run here, and says what is missing. Numbers of the preset smoke
mean nothing; they are shown where that is asked for.`,
		Example: examples("report", "report", "report --preset quick --out quick.html"),
		Args: func(_ *cobra.Command, args []string) error {
			for _, paper := range args {
				if err := checkPaper(paper); err != nil {
					return err
				}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(preset.Names, flags.preset) {
				return usagef("there is no preset %q; there are %s", flags.preset, strings.Join(preset.Names, ", "))
			}
			chosen := slices.DeleteFunc(slices.Clone(paperdata.Names), func(paper string) bool {
				return len(args) > 0 && !slices.Contains(args, paper)
			})
			s := newReader(flags, c.ErrOrStderr())
			s.present = true
			return writeReport(c.OutOrStdout(), out, chosen, s)
		},
	}
	flags.add(command)
	size := command.Flags().Lookup("preset")
	size.Usage = "the largest that is shown: " + size.Usage
	size.DefValue = cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Whole)
	flags.preset = size.DefValue
	command.Flags().StringVar(&out, "out", "report.html", "file to write")
	return command
}

// writeReport writes the page of some papers.
func writeReport(w io.Writer, path string, names []string, s *reader) error {
	var shown []page.Paper
	for _, name := range names {
		f, err := s.found(name)
		if err != nil {
			return err
		}
		shown = append(shown, page.Paper{Study: papers.Of(name), Results: f.results, Preset: f.preset, Said: f.said,
			Figures: drawn.Of(name), Runs: f.runs})
	}
	return writePath(w, path, func(target io.Writer) error { return page.Write(target, shown) })
}
