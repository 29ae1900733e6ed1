// Package evaluate judges models and scores from outside a study as the study judges the paper's methods.
package evaluate

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// evaluateFlags holds the flags of the evaluate command.
type evaluateFlags struct {
	studies.Flags
	name, models, scores, original, part string
	remove, template                     string
	world                                int
	differences, schema, list            bool
	format                               cli.Format
}

func Command() *cobra.Command {
	var a evaluateFlags
	command := &cobra.Command{
		Use:   "evaluate PAPER --name NAME --models DIR",
		Short: "Judge a model of your own as the paper's methods are judged",
		Long: `Judge models that were trained elsewhere, in PyTorch for example, on the worlds of a study. The
models get the raw scores and certified cells that the paper's methods have. Their row, NAME
(guest), appears in the tables, in figures and on the page of the report, next to the others and
without changing them.

DIR has a folder for each world: world-0, world-1 and so on. With fewer worlds than the preset, the
intervals are wider, and the row says how many there are. With --world N, DIR is one model. Each is

  a folder with config.json and safetensors files, in the format of transformers, open_clip or
  diffusers
  a folder with an adapter in PEFT's format, which is merged into the original
  a safetensors file with all tensors of the original, or with the changed ones

--scores takes scores that were computed elsewhere, one row for each example, in place of models: a
file, or a folder with the study's tables. --schema prints their columns, and --template DIR writes
them with the rows to score.

What a study needs for the comparison ships with the program for the preset mini. If something is
missing and takes more than some minutes, the command says what and how long, and computes it only
with --compute.`,
		Example: studies.Examples("evaluate"),
		Args:    cli.ExactArgs(1, "a paper"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.check(); err != nil {
				return err
			}
			a.Models = guest.Models{}
			opened, err := studies.Open(args[0], a.Flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if opened.Host == nil {
				return &study.Unsupported{Paper: args[0], What: "place for models from elsewhere"}
			}
			e := &evaluation{&a, opened, c.OutOrStdout()}
			return e.run()
		},
	}
	flags := command.Flags()
	cli.AddGroup(command, "Model", func(flags *pflag.FlagSet) {
		flags.StringVar(&a.name, "name", "", "name of the row")
		flags.StringVar(&a.models, "models", "", "folder with a folder for each world, or with --world one model")
		flags.StringVar(&a.scores, "scores", "", "file with scores that were computed elsewhere: .csv, .tsv or .parquet, or a "+
			"folder of such files")
		flags.IntVar(&a.world, "world", -1, "the only world of the model or of the scores; other worlds of the row "+
			"are kept (default: all worlds)")
		flags.Lookup("world").DefValue = "0" // so that the help does not print -1
		flags.StringVar(&a.part, "part", "", "the only model of each world, if the study has several")
		flags.StringVar(&a.original, "original", "", "model, or folder of models, that adapters and changed tensors belong "+
			"to (default: the study's own)")
		flags.BoolVar(&a.differences, "differences", false, "the files hold differences from the original's tensors")
	})
	cli.AddGroup(command, "Rows", func(flags *pflag.FlagSet) {
		flags.BoolVar(&a.list, "list", false, "list the paper's guests")
		flags.StringVar(&a.remove, "remove", "", "remove the guest of this name")
		flags.BoolVar(&a.schema, "schema", false, "print the columns of the files of scores")
		flags.StringVar(&a.template, "template", "", "write the files of scores into this folder, with all rows and ? "+
			"for each score to fill in")
	})
	a.format.Add(flags)
	a.AddWhole(command)
	a.AddCompute(command)
	cli.Exclusive(command, "models", "scores", "list", "remove", "schema", "template")
	return command
}

func (a *evaluateFlags) check() error {
	if err := a.format.Check(); err != nil {
		return err
	}
	switch evaluates := a.models != "" || a.scores != ""; {
	case !evaluates && a.name == "" && (a.list || a.schema || a.template != "" || a.remove != ""):
		return nil
	case !evaluates:
		return cli.Usagef("give --models with the folder of your models, or --scores with a file of scores")
	case a.name == "":
		return cli.Usagef("give the row a name with --name")
	case a.scores != "" && (a.original != "" || a.differences):
		return cli.Usagef("--original and --differences are for models; remove them")
	}
	return cli.Usage(guest.CheckName(a.name))
}

// evaluation holds the flags, study and output of one run of the evaluate command.
type evaluation struct {
	*evaluateFlags
	*studies.Opened
	out io.Writer
}

func (e *evaluation) run() error {
	switch {
	case e.schema:
		return cli.ShowTable(e.out, e.Host.Schema(), e.format.Name)
	case e.template != "":
		return e.writeTemplate()
	case e.list:
		return e.listGuests()
	case e.remove != "":
		return e.removeGuest()
	}
	g, known, err := guest.Named(e.Store, e.Study.Paper, e.name)
	if err != nil {
		return err
	}
	if err := e.free(); err != nil {
		return cli.Usage(err)
	}
	if !known || e.world < 0 {
		g = guest.Guest{Name: e.name}
	}
	parts, err := e.read()
	if err != nil {
		return err
	}
	g = g.With(parts)
	g.Name, g.Preset = e.name, e.Opened.Preset
	runs, err := e.Host.Guest(g)
	if err != nil {
		return err
	}
	if len(runs.Parts) == 0 {
		return cli.Usagef("the preset %s judges no models from elsewhere", e.Opened.Preset)
	}
	if err := e.CompleteGuest(runs, parts); err != nil {
		return err
	}
	for _, part := range runs.Parts {
		if part.Note != "" && e.format.Name != "text" { // the note of a table of text has it, too
			fmt.Fprintf(e.Stderr, "%s: %s\n", e.name, part.Note)
		}
		g = g.With([]guest.Part{part.Part})
	}
	g.Runs = nil
	for _, run := range runs.Own() {
		g.Runs = append(g.Runs, run.Key())
	}
	if err := guest.Save(e.Store, e.Study.Paper, g); err != nil {
		return err
	}
	return e.show(g)
}

// writeTemplate writes the files of scores to fill in, or nothing.
func (e *evaluation) writeTemplate() error {
	if err := export.Check(e.template); err != nil {
		return cli.Usage(err)
	}
	if err := e.checkWorld(); err != nil {
		return err
	}
	if err := e.CompleteUnasked(e.Host.ExampleRuns(e.world)); err != nil {
		return err
	}
	var files []study.Template
	err := export.Folder(e.template, func(temporary string) (err error) {
		files, err = e.Host.WriteTemplate(e.Store, temporary, e.world)
		return err
	})
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := fmt.Fprintf(e.out, "%s: %d rows; fill in the cells with ?, and leave empty cells empty\n",
			filepath.Join(e.template, file.Name), file.Rows); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) checkWorld() error {
	if e.world < e.Host.Repetitions {
		return nil
	}
	return cli.Usagef("--world %d: the preset %s has the numbers 0 to %d", e.world, e.Opened.Preset, e.Host.Repetitions-1)
}

// free returns an error if a row of the study already has the guest's name.
func (e *evaluation) free() error {
	for _, name := range e.Host.Names {
		if strings.EqualFold(name, e.name) {
			return fmt.Errorf("the study has a row %s of its own; give another --name", name)
		}
	}
	return nil
}

// read reads the models or the scores as the parts of a guest.
func (e *evaluation) read() ([]guest.Part, error) {
	if err := e.checkWorld(); err != nil {
		return nil, err
	}
	if e.part != "" && !slices.Contains(e.Host.Parts, e.part) {
		return nil, cli.Usagef("--part %s: %s", e.part, e.partHint())
	}
	if e.models != "" && e.Host.ScoresOnly {
		return nil, &study.Unsupported{Paper: e.Study.Paper,
			What: "judge of models; judge them elsewhere, and give their scores by --scores"}
	}
	if e.scores != "" {
		if err := e.CompleteUnasked(e.Host.ExampleRuns(e.world)); err != nil {
			return nil, err
		}
		parts, frames, err := e.Host.ReadScores(e.Store, e.scores, e.world)
		e.Makers = e.Makers.With(frames.Maker(e.Host.Also))
		return parts, cli.Usage(err)
	}
	parts, models, err := guest.Search{Folder: e.models, Original: e.original, Differences: e.differences,
		Noun: e.Study.Repetitions.Singular, Repetitions: e.Host.Repetitions, Only: e.world, Parts: e.Host.Parts,
		Of: e.part}.Find()
	for digest, m := range models {
		e.Flags.Models[digest] = m
	}
	return parts, cli.Usage(err)
}

// asRecords reports whether the rows of all tables are printed as one list of records.
func (e *evaluation) asRecords() bool { return e.format.JSON() || e.format.Name == "csv" }

// partHint names the nearest part, lists all parts, or explains that the study has none.
func (e *evaluation) partHint() string {
	if len(e.Host.Parts) == 0 {
		return "the study has one model in each " + e.Study.Repetitions.Singular + "; remove the flag"
	}
	if near := spelling.Nearest(e.part, e.Host.Parts); near != "" {
		return fmt.Sprintf("do you mean %q?", near)
	}
	return "there are " + strings.Join(e.Host.Parts, ", ")
}

func (e *evaluation) listGuests() error {
	guests, err := guest.List(e.Store, e.Study.Paper)
	if err != nil {
		return err
	}
	t := &report.Table{Title: "Guests of " + e.Study.Paper, Corner: "Name", Columns: []report.Column{{Name: "Preset"},
		{Name: e.Study.Repetitions.Plural}, {Name: "From"}}}
	for _, g := range guests {
		t.Rows = append(t.Rows, report.Row{Name: g.Name, Cells: []report.Cell{report.Word(g.Preset),
			report.Word(numbers(g)), report.Word(g.Parts[0].From)}})
	}
	if len(guests) == 0 && e.format.Name == "text" {
		_, err := fmt.Fprintf(e.out, "%s has no guests; unlearnlab evaluate %[1]s --name NAME --models DIR adds one\n",
			e.Study.Paper)
		return err
	}
	return cli.ShowTable(e.out, t, e.format.Name)
}

// numbers lists the repetitions of a guest, separated by commas.
func numbers(g guest.Guest) string {
	var all []string
	for i, p := range g.Parts {
		if i == 0 || g.Parts[i-1].Repetition != p.Repetition {
			all = append(all, fmt.Sprint(p.Repetition))
		}
	}
	return strings.Join(all, ", ")
}

func (e *evaluation) removeGuest() error {
	g, known, err := guest.Named(e.Store, e.Study.Paper, e.remove)
	if err != nil {
		return err
	}
	if !known {
		return cli.Usagef("%s has no guest %q; unlearnlab evaluate %[1]s --list lists them", e.Study.Paper, e.remove)
	}
	if err := guest.Remove(e.Store, e.Study.Paper, g); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "removed %s\n", g.Name)
	return err
}

// show prints the guest's rows from all tables that have some. As JSON and CSV, it prints one record per cell.
func (e *evaluation) show(g guest.Guest) error {
	r, err := e.Results(e.Host.Tables...)
	if err != nil {
		return err
	}
	records := report.Records{Paper: e.Study.Paper, Preset: e.Opened.Preset, Seeds: r.Seeds()}
	all := []tableCell{}
	for _, name := range e.Host.Tables {
		cells, err := r.Cells(name)
		if errors.As(err, new(*study.Lacks)) {
			continue
		}
		if err != nil {
			return err
		}
		rows := rowsOf(cells, g.Name)
		if len(rows) == 0 {
			continue
		}
		if e.asRecords() {
			all = append(all, cellsIn(name, cells, rows)...)
			continue
		}
		if err := e.showTable(r, name, rows); err != nil {
			return err
		}
	}
	if !e.asRecords() {
		return nil
	}
	records.Rows = all
	return records.Write(e.out, e.format.Name)
}
