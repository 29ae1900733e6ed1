// Package report writes the report page.
package report

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/page"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func Command() *cobra.Command {
	var flags studies.Flags
	var out string
	command := &cobra.Command{
		Use:   "report [PAPER…]",
		Short: "Write a report of all papers as one HTML page",
		Long: `Write one page about all papers, or some: their claims with verdicts, every table and figure next
to the printed one, the audit, the cost, and the origin of each number. The page loads nothing else,
so that it can be opened from a folder and sent by mail.

Nothing is computed. For each study the page shows the largest preset up to --preset that has
complete repetitions, shipped or run here, and says what is missing. The numbers of the preset smoke
mean nothing; they are shown only with --preset smoke.`,
		Example: studies.Examples("report", "report", "report --preset quick --out quick.html"),
		Args: func(_ *cobra.Command, args []string) error {
			for _, paper := range args {
				if err := studies.CheckPaper(paper); err != nil {
					return err
				}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(preset.Names, flags.Preset) {
				return cli.Usagef("there is no preset %q; the presets are %s", flags.Preset,
					strings.Join(preset.Names, ", "))
			}
			chosen := slices.DeleteFunc(slices.Clone(paperdata.Names), func(paper string) bool {
				return len(args) > 0 && !slices.Contains(args, paper)
			})
			s := studies.NewReader(flags, c.ErrOrStderr())
			s.Existing = true
			return Write(c.OutOrStdout(), out, chosen, s)
		},
	}
	flags.Add(command)
	size := command.Flags().Lookup("preset")
	size.Usage = "largest preset to show, " + size.Usage
	size.DefValue = cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Whole)
	flags.Preset = size.DefValue
	command.Flags().StringVar(&out, "out", "report.html", "file to write")
	return command
}

// Write writes the page about some papers.
func Write(w io.Writer, path string, names []string, s *studies.Reader) error {
	var shown []page.Paper
	for _, name := range names {
		f, err := s.Found(name)
		if err != nil {
			return err
		}
		runs, err := finishedRuns(f.From)
		if err != nil {
			return err
		}
		shown = append(shown, page.Paper{Study: papers.Of(name), Results: f.Results, Preset: f.Preset, Said: f.Said,
			Figures: papers.Of(name).Figures, Runs: runs})
	}
	return cli.WritePath(w, path, func(target io.Writer) error { return page.Write(target, shown) })
}

// finishedRuns returns the runs of a study that are in the store.
func finishedRuns(o *studies.Opened) (runs []page.Run, err error) {
	if o == nil {
		return nil, nil // without results
	}
	for _, run := range o.Runs() {
		artifact, err := o.Store.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue // not needed: the results made from it are stored
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, page.Run{Title: run.Title, Manifest: artifact.Manifest})
	}
	return runs, nil
}
