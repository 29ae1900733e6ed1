package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// submission is the work handed in by a student.
type submission struct {
	Student  string             `json:"student"`
	Solved   int                `json:"solved"`
	Attempts []notebook.Attempt `json:"attempts"`
	Problem  string             `json:"problem,omitempty"` // errors from reading or running the notebooks
}

// grading holds the flags of notebook grade.
type grading struct {
	runs      notebookRuns
	again     bool
	exercises string
	limit     time.Duration // time limit of a whole notebook
	format    cli.Format
	points    points
	exports   exports
}

func notebookGrade() *cobra.Command {
	g := grading{runs: notebookRuns{allow: true, afresh: true}}
	command := &cobra.Command{
		Use:   "grade DIR",
		Short: "Report who has solved which exercise, from submitted notebooks",
		Long: `Read the notebooks in DIR and report for each exercise who has solved it (✓), tried it (✗), left it
unanswered (–) or not run it (·). A student is a folder in DIR, or a notebook directly in DIR.

The command reads the notebooks' outputs, which can be written by hand. --run instead runs a copy of
every notebook within the time limits of the cells and of the notebook. That executes other people's
code: use the container without a network (docs/teaching.md).

--moodle and --nbgrader write tables of grades. An exercise counts one point, or what --points says;
an answer that was tried and is not right counts the share --tried of it. --feedback writes a text
file for each student with the points and the hints.`,
		Example: `  unlearnlab notebook grade handed-in
  unlearnlab notebook grade handed-in --run --exercises exercises.json --format csv
  unlearnlab notebook grade handed-in --moodle grades.csv --feedback feedback \
    --points week1/share=2,week1/why=1 --tried .5`,
		Args: cli.ExactArgs(1, "the folder of submissions"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := g.format.Check(); err != nil {
				return err
			}
			if err := g.points.check(); err != nil {
				return err
			}
			if g.again {
				if _, err := notebook.FindKernel(g.runs.kernel); err != nil {
					return err
				}
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			all, err := g.submissions(ctx, args[0], c.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := g.exports.write(all, g.points); err != nil {
				return err
			}
			if g.format.JSON() {
				return report.Records{Rows: all}.JSON(c.OutOrStdout())
			}
			return cli.ShowTable(c.OutOrStdout(), gradesTable(all, g.again), g.format.Name)
		},
	}
	g.runs.register(command)
	command.Flags().BoolVar(&g.again, "run", false, "run copies of the notebooks and read their outputs")
	command.Flags().DurationVar(&g.limit, "limit", 30*time.Minute, "with --run: time limit of a notebook")
	command.Flags().StringVar(&g.exercises, "exercises", "", "with --run: file with your own exercises")
	g.points.add(command.Flags())
	g.exports.add(command.Flags())
	g.format.Add(command.Flags())
	return command
}

// submissions reads the submissions in a folder, sorted by student. A student's notebooks are in a subfolder or in one
// file, named after the student.
func (g *grading) submissions(ctx context.Context, folder string, progress io.Writer) ([]submission, error) {
	files := map[string][]string{}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, cli.Usagef("there is no folder %s; give the folder with the submitted notebooks, one for each student "+
			"or in a folder for each", folder)
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir // skip Jupyter's checkpoints
		case entry.IsDir() || filepath.Ext(path) != ".ipynb":
			return nil
		}
		within, err := filepath.Rel(folder, path)
		student, _, _ := strings.Cut(filepath.ToSlash(within), "/")
		files[strings.TrimSuffix(student, ".ipynb")] = append(files[strings.TrimSuffix(student, ".ipynb")], path)
		return err
	})
	if err != nil {
		return nil, cli.Usage(err)
	}
	if len(files) == 0 {
		return nil, cli.Usagef("%s contains no notebook; give the folder of submissions", folder)
	}
	var all []submission
	for _, student := range slices.Sorted(maps.Keys(files)) {
		all = append(all, g.submission(ctx, student, files[student], progress))
		if ctx.Err() != nil {
			return nil, errors.New("interrupted")
		}
	}
	return all, nil
}

// submission reads a student's notebooks. It records errors instead of returning them, so that grading continues.
func (g *grading) submission(ctx context.Context, student string, paths []string, progress io.Writer) submission {
	s := submission{Student: student, Attempts: []notebook.Attempt{}}
	var problems []string
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		if g.again {
			err = g.runCopy(ctx, n, filepath.Join(student, filepath.Base(path)), progress)
		}
		if err != nil { // after a failure, the outputs of earlier cells still count
			problems = append(problems, fmt.Sprintf("%s: %v", filepath.Base(path), err))
		}
		for _, attempt := range n.Attempts() {
			at := slices.IndexFunc(s.Attempts, func(a notebook.Attempt) bool { return a.Exercise == attempt.Exercise })
			switch {
			case at < 0:
				s.Attempts = append(s.Attempts, attempt)
			case attempt.Outcome == notebook.Solved:
				s.Attempts[at] = attempt
			}
		}
	}
	for _, attempt := range s.Attempts {
		if attempt.Outcome == notebook.Solved {
			s.Solved++
		}
	}
	s.Problem = strings.Join(problems, "; ")
	return s
}

// errSlow is the error for a notebook that exceeds its time limit.
var errSlow = errors.New("the notebook takes longer than --limit")

// runCopy runs a notebook, without its outputs, in an empty folder that only has the exercises.
func (g *grading) runCopy(ctx context.Context, n *notebook.Notebook, name string, progress io.Writer) error {
	ctx, cancel := context.WithTimeoutCause(ctx, g.limit, errSlow)
	defer cancel()
	folder, err := os.MkdirTemp("", "unlearnlab-grade-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if g.exercises != "" {
		text, err := os.ReadFile(g.exercises)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, kernelext.ExercisesFile), text, 0o644); err != nil {
			return err
		}
	}
	for _, cell := range n.Cells {
		cell.Outputs = nil
	}
	return g.runs.run(ctx, n, folder, name, progress)
}

// gradeSigns holds each outcome's sign in the table.
var gradeSigns = map[notebook.Outcome]string{notebook.Solved: "✓", notebook.Tried: "✗", notebook.Unanswered: "–",
	notebook.NotRun: "·"}

// gradesTable returns a table of outcomes with a row per student and a column per exercise.
func gradesTable(all []submission, again bool) *report.Table {
	table := &report.Table{Title: "Who has solved what", Corner: "Student",
		Columns: []report.Column{{Name: "solved"}}, Note: "✓ solved, ✗ tried, – unanswered, · not run."}
	if !again {
		table.Note += " Read from the outputs, which can be written by hand; --run runs the notebooks."
	}
	exercises := exercisesOf(all)
	for _, name := range exercises {
		table.Columns = append(table.Columns, report.Column{Name: name, Words: true})
	}
	for _, s := range all {
		solved := report.Number(fmt.Sprintf("%d of %d", s.Solved, len(exercises)), float64(s.Solved))
		row := report.Row{Name: s.Student, Cells: []report.Cell{solved}}
		for _, name := range exercises {
			row.Cells = append(row.Cells, report.Word(gradeSigns[s.attempt(name).Outcome]))
		}
		table.Rows = append(table.Rows, row)
		if s.Problem != "" {
			table.Note += fmt.Sprintf("\n%s: %s", s.Student, strings.Join(strings.Fields(s.Problem), " "))
		}
	}
	return table
}
