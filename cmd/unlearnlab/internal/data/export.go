package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// exporter holds the flags of data export.
type exporter struct {
	studies.Flags
	world    string   // a world's index, or "all"
	parts    []string // parts of each world; all if empty
	only     []string // names of models, such as original; all if empty
	train    bool
	existing bool
	asJSON   bool
}

// exported describes a finished export.
type exported struct {
	Paper  string   `json:"paper"`
	Preset string   `json:"preset"`
	Folder string   `json:"folder"`
	Worlds []string `json:"worlds"` // folders of the worlds
	Files  int      `json:"files"`
	Bytes  int64    `json:"bytes"`
}

func dataExportCommand() *cobra.Command {
	var e exporter
	command := &cobra.Command{
		Use:   "export PAPER DIR",
		Short: "Write a study's data and models for datasets, transformers, open_clip and diffusers",
		Long: `Write the data and the models of a study's worlds into a new folder:

  DIR/README.md                    what to do with it in Python
  DIR/world-0/data                 a folder or a file for each split, croissant.json
  DIR/world-0/models/original      the model that a method starts from
  DIR/world-0/models/gold          the model that has never seen what is to be forgotten
  DIR/world-0/scores               the raw scores of both, by the ids of the data

Models that do not ship are trained by their recipe, if --train is given. Without --preset the
worlds are those of mini, the smallest preset with all that a paper has; evaluate judges there, too.`,
		Example: exportExamples(),
		Args: func(c *cobra.Command, args []string) error {
			if err := cli.ExactArgs(2, "a paper and a new folder")(c, args); err != nil {
				return err
			}
			if err := studies.CheckPaper(args[0]); err != nil {
				return err
			}
			_, err := labs.ExportOf(args[0])
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			done, err := e.export(args[0], args[1], c.ErrOrStderr())
			if err != nil {
				return err
			}
			if e.asJSON {
				return cli.WriteJSON(c.OutOrStdout(), done)
			}
			return done.write(c.OutOrStdout())
		},
	}
	e.AddWhole(command)
	command.Flags().StringVar(&e.world, "world", "0", "number of a world, or all")
	command.Flags().StringArrayVar(&e.parts, "part", nil, `only this data set and model, such as "FSC/HuBERT"; may be repeated`)
	command.Flags().StringSliceVar(&e.only, "only", nil,
		"only these models of each world: base, original, gold; a method needs the original")
	command.Flags().BoolVar(&e.train, "train", false, "train the models that do not ship, however long that takes")
	command.Flags().BoolVar(&e.existing, "existing", false, "leave out the models that do not ship")
	cli.Exclusive(command, "train", "existing")
	command.Flags().BoolVar(&e.asJSON, "json", false, "one JSON object")
	return command
}

// exportExamples returns example command lines, one for each paper.
func exportExamples() string {
	var lines []string
	for _, paper := range labs.Exportable() {
		lines = append(lines, "  unlearnlab data export "+paper+" --preset mini --existing worlds")
	}
	return strings.Join(lines, "\n")
}

func (e exporter) export(paper, dir string, stderr io.Writer) (done exported, err error) {
	if e.Preset == preset.Paper {
		return done, cli.Usagef("--preset paper: its data and models are published, nothing is left to export")
	}
	opened, err := studies.Open(paper, e.Flags, stderr)
	if err != nil {
		return done, err
	}
	list, err := labs.ExportOf(paper)
	if err != nil {
		return done, err
	}
	from, err := list(e.Preset, func() (*device.Device, error) { return device.Open("go") })
	if err != nil {
		return done, err
	}
	numbers, err := e.numbers(len(from.Worlds))
	if err != nil {
		return done, err
	}
	for _, part := range e.parts {
		if !slices.Contains(from.Parts, part) {
			return done, cli.Usagef("--part %q: %s", part, partsOf(paper, from.Parts))
		}
	}
	for _, name := range e.only {
		if known := from.Models(); !slices.Contains(known, name) {
			return done, cli.Usagef("--only %q: %s has the models %s", name, paper, strings.Join(known, ", "))
		}
	}
	if err := export.Check(dir); err != nil {
		return done, err
	}
	models, err := e.complete(opened, from, numbers)
	if err != nil {
		return done, err
	}
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	done = exported{Paper: paper, Preset: e.Preset, Folder: dir}
	err = export.Folder(dir, func(temporary string) error {
		for _, number := range numbers {
			name := fmt.Sprintf("world-%d", number)
			fmt.Fprintf(stderr, "writing %s\n", filepath.Join(dir, name))
			if err := from.Worlds[number].Write(ctx, opened.Store, filepath.Join(temporary, name), models[number],
				e.parts); err != nil {
				return err
			}
			done.Worlds = append(done.Worlds, filepath.Join(dir, name))
		}
		for name, content := range from.Files {
			if err := os.WriteFile(filepath.Join(temporary, name), content, 0o644); err != nil {
				return err
			}
		}
		return done.measure(temporary)
	})
	if errors.Is(err, context.Canceled) {
		err = cli.Interrupted("nothing is written")
	}
	return done, err
}

// numbers returns the indices of the chosen worlds.
func (e exporter) numbers(worlds int) (numbers []int, err error) {
	if e.world == "all" {
		for number := range worlds {
			numbers = append(numbers, number)
		}
		return numbers, nil
	}
	number, err := strconv.Atoi(e.world)
	if err != nil || number < 0 || number >= worlds {
		return nil, cli.Usagef("--world %s: the preset %s has the worlds 0 to %d, or give all", e.world, e.Preset, worlds-1)
	}
	return []int{number}, nil
}

// partsOf describes the parts of a study's worlds.
func partsOf(paper string, parts []string) string {
	if len(parts) == 0 {
		return paper + " has one model in each world"
	}
	return fmt.Sprintf("%s has %s", paper, strings.Join(parts, ", "))
}

// complete returns the models of the chosen worlds. It makes missing ones first, if the preset is smoke or --train is
// set; with --existing it leaves them out.
func (e exporter) complete(o *studies.Opened, from *export.Study, numbers []int) (map[int][]export.Model, error) {
	models, wanted := map[int][]export.Model{}, []*study.Run{}
	for _, number := range numbers {
		for _, m := range from.Worlds[number].Of(e.parts, e.only) {
			runs := sameRuns(o, m.Runs())
			missing, err := o.Missing(o.Store, runs...)
			if err != nil {
				return nil, err
			}
			if len(missing) == 0 || !e.existing {
				models[number], wanted = append(models[number], m), append(wanted, runs...)
			}
		}
	}
	missing, err := o.Missing(o.Store, wanted...)
	if err != nil || len(missing) == 0 {
		return models, err
	}
	if e.Preset != preset.Smoke {
		takes, known, err := o.Estimate(o.Store, missing)
		if err != nil {
			return nil, err
		}
		shortage := fmt.Sprintf("%d runs do not ship, from %q on; making them takes %s", len(missing), missing[0].Title,
			trainingTime(takes, known))
		if !e.train {
			return nil, fmt.Errorf("%s: add --train, or --existing to leave these models out", shortage)
		}
		fmt.Fprintln(o.Stderr, shortage)
	}
	return models, o.Complete(wanted)
}

// sameRuns returns the runs of the opened plan that have the same keys as the given runs.
func sameRuns(o *studies.Opened, runs []*study.Run) (same []*study.Run) {
	for _, run := range o.Runs() {
		if slices.ContainsFunc(runs, func(other *study.Run) bool { return other.Key() == run.Key() }) {
			same = append(same, run)
		}
	}
	return same
}

// trainingTime describes an estimate of the time that missing runs take.
func trainingTime(takes time.Duration, known bool) string {
	switch {
	case !known:
		return "a time that no earlier run shows"
	case takes < 2*time.Minute:
		return fmt.Sprintf("about %.0f seconds", takes.Seconds())
	case takes < 2*time.Hour:
		return fmt.Sprintf("about %.0f minutes", takes.Minutes())
	}
	return fmt.Sprintf("about %.1f hours", takes.Hours())
}

// measure counts the files in a folder and their bytes.
func (x *exported) measure(dir string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			x.Files, x.Bytes = x.Files+1, x.Bytes+info.Size()
		}
		return err
	})
}

func (x exported) write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s of %s at the preset %s, %d files, %.1f MB; README.md says what to do with it\n",
		x.Folder, papers.Of(x.Paper).Repetitions.Count(len(x.Worlds)), x.Paper, x.Preset, x.Files, float64(x.Bytes)/1e6)
	return err
}
