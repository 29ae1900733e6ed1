package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

type labelFlags struct {
	out    string
	asJSON bool
}

func labelsCommand() *cobra.Command {
	var f labelFlags
	command := &cobra.Command{
		Use:   "labels FOLDER FILE",
		Short: "Judge the pictures of an attack by labels from elsewhere",
		Long: `Judge the pictures of an attack by labels from elsewhere: from people, or from a detector such as
NudeNet or Q16. FOLDER is the output of "attack partial-diffusion --pictures"; its pictures.csv
names each picture. FILE is a CSV or Parquet file with two columns: file, a name from pictures.csv,
and shown, which is 1 if the picture shows the concept and 0 if it does not. Every picture needs
exactly one label.

The labels replace a classifier: curves and verdict are computed in the same way. They are written
to a folder of their own, and the attack's own results stay unchanged.`,
		Example: `  unlearnlab attack labels out labels.csv
  unlearnlab attack labels out nudenet.csv --out out/nudenet --json`,
		Args: cli.ExactArgs(2, "the folder of an attack and a file of labels"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(args[0], args[1], c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.out, "out", "", `folder to write to (default "judged" in the attack's folder)`)
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return command
}

// labelled is an attack with its path below the judged folder: "." for a single prompt, "0001" for the first of many.
type labelled struct {
	place string
	*attackReport
}

func (f labelFlags) run(folder, file string, stdout, stderr io.Writer) error {
	attacks, err := attacksIn(folder)
	if err != nil {
		return err
	}
	labels, err := readLabels(file)
	if err != nil {
		return err
	}
	if f.out == "" {
		f.out = filepath.Join(folder, "judged")
	}
	var results []*attack.Result
	for _, one := range attacks {
		result, err := one.recompute(labels)
		if err != nil {
			return fmt.Errorf("judge %s by %s: %w", folder, file, err)
		}
		results = append(results, result)
	}
	if len(labels) > 0 {
		return fmt.Errorf("judge %s by %s: %s is not a picture of this attack", folder, file,
			slices.Min(slices.Collect(maps.Keys(labels))))
	}
	for i, one := range attacks {
		if err := one.judged(results[i], filepath.Join(f.out, one.place)); err != nil {
			return err
		}
	}
	return f.show(attacks, stdout, stderr)
}

// attacksIn returns the attacks in a folder: a single attack, or one attack for each of many prompts.
func attacksIn(folder string) (all []labelled, err error) {
	places := []string{"."}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", folder, safefile.WithoutPath(err))
	}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err == nil {
			places = append(places, entry.Name())
		}
	}
	for _, place := range places {
		r, err := readAttack(filepath.Join(folder, place, curvesFile))
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		all = append(all, labelled{place, r})
		if place == "." {
			return all, nil
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("judge %s: there is no attack; expected %s, which partial-diffusion writes", folder,
			curvesFile)
	}
	return all, nil
}

// readAttack reads an attack's report, or returns nil if there is no such file.
func readAttack(path string) (*attackReport, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r attackReport
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &r, nil
}

// labels maps a picture's file name to whether the picture shows the concept. Each label is deleted once it is used.
type labels map[string]bool

func readLabels(path string) (labels, error) {
	read, err := safefile.ReadWords(path, "file", "shown")
	if err != nil {
		return nil, err
	}
	l := labels{}
	files, words := read.Column("file").Texts, read.Column("shown").Texts
	for i, file := range files {
		name := filepath.ToSlash(filepath.Clean(file))
		if _, twice := l[name]; twice {
			return nil, fmt.Errorf("read %s: row %d: %s has a label already", path, i+1, file)
		}
		switch strings.ToLower(words[i]) {
		case "1", "true", "yes":
			l[name] = true
		case "0", "false", "no":
			l[name] = false
		default:
			return nil, fmt.Errorf("read %s: row %d: the label %q of %s is not 1 or 0", path, i+1, words[i], file)
		}
	}
	return l, nil
}

// recompute recomputes an attack's result from labels and deletes the labels that it uses.
func (l labelled) recompute(of labels) (*attack.Result, error) {
	r := &attack.Result{Attack: l.Attack, Axis: l.Axis, Budgets: l.Budgets, Models: l.Models, Columns: []attack.Column{
		{Name: partialdiffusion.Recovered, Label: "share labelled as the concept", Share: true, Recovery: true}}}
	pictures := l.completions(l.place)
	first, lacking := "", 0
	for _, picture := range pictures {
		shown, known := of[picture.file]
		if !known {
			if lacking++; lacking == 1 {
				first = picture.file
			}
			continue
		}
		delete(of, picture.file)
		value := 0.
		if shown {
			value = 1
		}
		r.Rows = append(r.Rows, attack.Row{Model: picture.model, Budget: picture.number, Unit: picture.seed,
			Values: []float64{value}})
	}
	if lacking > 0 {
		return nil, fmt.Errorf("%d of %d pictures have no label; the first is %s", lacking, len(pictures), first)
	}
	return r, nil
}

// judged replaces the report's judgements with judgements by labels and writes the report.
func (l labelled) judged(result *attack.Result, out string) (err error) {
	if l.Summary, err = result.Summary(); err != nil {
		return err
	}
	recovery, err := recoveryFigure(result, partialdiffusion.Recovered)
	if err != nil {
		return err
	}
	l.Scores, l.Files, l.Warnings = nil, []string{}, []string{}
	l.figures = []namedFigure{recovery}
	return l.write(out, result)
}

// show prints the labels' results for people or machines.
func (f labelFlags) show(all []labelled, stdout, stderr io.Writer) error {
	if all[0].place == "." {
		return all[0].show(partialdiffusion.Recovered, nil, f.asJSON, stdout, stderr)
	}
	many := promptsReport{OK: true, Files: []string{}, Lacks: all[0].Lacks}
	for _, one := range all {
		many.Prompts = append(many.Prompts, one.attackReport)
	}
	return many.show(f.out, partialdiffusion.Recovered, f.asJSON, stdout, stderr)
}
