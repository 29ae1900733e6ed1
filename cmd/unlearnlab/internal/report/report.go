// Package report writes the report page.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/page"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func Command() *cobra.Command {
	var flags studies.Flags
	var out, single string
	var summary bool
	command := &cobra.Command{
		Use:   "report [PAPER…]",
		Short: "Write a report of all papers as web pages",
		Long: `Write pages about all papers, or some: a first page that says what came out of each, a page with all
claims, tables and figures of each paper, and a page to search them. The pages load nothing from the
internet, so that a folder or a file of them can be opened from a disk and sent by mail.

Nothing is computed. For each study the pages show the richest results up to --preset that have
complete repetitions, shipped or run here, and say what is missing. The numbers of the preset smoke
mean nothing; they are shown only with --preset smoke.`,
		Example: studies.Examples("report", "report", "report --single report.html", "report --summary"),
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
			chosen := slices.DeleteFunc(papers.Papers(), func(paper string) bool {
				return len(args) > 0 && !slices.Contains(args, paper)
			})
			s := studies.NewReader(flags, c.ErrOrStderr())
			s.Existing = true
			if !summary && single == "" {
				return cli.InFolder(out, func(ctx context.Context) error {
					if err := safefile.MakeFolder(out); err != nil { // an error before the minutes of reading
						return err
					}
					if !slices.Contains(preset.Short, flags.Preset) {
						fmt.Fprintln(c.ErrOrStderr(), "reading results and drawing figures: some seconds for each paper")
					}
					return Write(ctx, c.OutOrStdout(), out, chosen, s)
				})
			}
			shown, err := input(chosen, s)
			switch {
			case err != nil:
				return err
			case summary:
				return page.Summary(c.OutOrStdout(), shown)
			}
			return cli.WritePath(c.OutOrStdout(), single, func(w io.Writer) error { return page.WriteSingle(w, shown) })
		},
	}
	flags.Add(command)
	size := command.Flags().Lookup("preset")
	size.Usage = "largest preset to show, " + size.Usage
	size.DefValue = cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Whole)
	flags.Preset = size.DefValue
	command.Flags().StringVar(&out, "out", "report", "folder to write to")
	command.Flags().StringVar(&single, "single", "", "file to write everything to, in place of a folder")
	command.Flags().BoolVar(&summary, "summary", false, "print the results in Markdown")
	cli.Exclusive(command, "out", "single", "summary")
	return command
}

// input collects what the pages about the named papers show.
func input(names []string, s *studies.Reader) (shown []page.Paper, err error) {
	for _, name := range names {
		f, err := s.Found(name)
		if err != nil {
			return nil, err
		}
		p := page.Paper{Study: papers.Of(name), Results: f.Results, Preset: f.Preset, Said: f.Said,
			Figures: papers.Of(name).Figures}
		if err := addRuns(&p, f.From); err != nil {
			return nil, err
		}
		if f.Results != nil && f.Preset == p.Study.Richest {
			whole, err := s.At(name, preset.Whole)
			if err != nil {
				return nil, err
			}
			p.Smaller, p.SmallerPreset, p.Said = whole.Results, whole.Preset, append(p.Said, whole.Said...)
			if err := addRuns(&p, whole.From); err != nil {
				return nil, err
			}
		}
		shown = append(shown, p)
	}
	return shown, nil
}

// Write writes the pages about the named papers to a folder, unless ctx ends before, and prints the path of the first
// page.
func Write(ctx context.Context, w io.Writer, folder string, names []string, s *studies.Reader) error {
	shown, err := input(names, s)
	if err != nil {
		return err
	}
	return write(ctx, w, folder, shown)
}

func write(ctx context.Context, w io.Writer, folder string, shown []page.Paper) error {
	err := page.Write(func(name string, write func(io.Writer) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return cli.WritePath(io.Discard, filepath.Join(folder, filepath.FromSlash(name)), write)
	}, shown)
	if err == nil {
		_, err = fmt.Fprintln(w, filepath.Join(folder, "index.html"))
	}
	return err
}

// addRuns adds the runs of a study that are in the store, those of guests included.
func addRuns(p *page.Paper, o *studies.Opened) error {
	if o == nil {
		return nil // without results there are no runs
	}
	runs := o.Runs()
	guests, err := o.Guests(o.Store)
	if err != nil {
		return err
	}
	for _, g := range guests {
		runs = slices.Concat(runs, g.Own())
	}
	for _, run := range runs {
		artifact, err := o.Store.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue // nothing needs the run, because results made from it are stored
		}
		if err != nil {
			return err
		}
		key := artifact.Manifest.Key
		if !slices.ContainsFunc(p.Runs, func(r page.Run) bool { return r.Manifest.Key == key }) {
			p.Runs = append(p.Runs, page.Run{Title: run.Title, Manifest: artifact.Manifest})
		}
	}
	return nil
}
