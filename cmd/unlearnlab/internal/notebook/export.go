package notebook

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/notebook"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// points holds the points for each exercise.
type points struct {
	of    map[string]string // points by exercise; one if missing
	tried float64           // share of the points for a wrong answer
}

func (p *points) add(flags *pflag.FlagSet) {
	flags.StringToStringVar(&p.of, "points", nil, "points of exercises, such as week1/share=2 (default 1 each)")
	flags.Float64Var(&p.tried, "tried", 0, "share of the points for an answer that was tried and is not right")
}

func (p *points) check() error {
	for name, text := range p.of {
		if x, err := strconv.ParseFloat(text, 64); err != nil || !(x >= 0) || x > 1e6 {
			return cli.Usagef("--points %s=%s: give a number of points", name, text)
		}
	}
	if !(p.tried >= 0 && p.tried <= 1) {
		return cli.Usagef("--tried %v: give a share from 0 to 1", p.tried)
	}
	return nil
}

// most returns the points for a right answer.
func (p *points) most(exercise string) float64 {
	text, given := p.of[exercise]
	if !given {
		return 1
	}
	x, _ := strconv.ParseFloat(text, 64) // no error: the flags have been checked
	return x
}

func (p *points) score(a notebook.Attempt) float64 {
	switch a.Outcome {
	case notebook.Solved:
		return p.most(a.Exercise)
	case notebook.Tried:
		return p.tried * p.most(a.Exercise)
	}
	return 0
}

// total returns a student's points and the maximum.
func (p *points) total(s submission, exercises []string) (got, most float64) {
	for _, name := range exercises {
		got += p.score(s.attempt(name))
		most += p.most(name)
	}
	return got, most
}

// exercisesOf returns the names of the exercises in all submissions, sorted.
func exercisesOf(all []submission) (names []string) {
	for _, s := range all {
		for _, a := range s.Attempts {
			if !slices.Contains(names, a.Exercise) {
				names = append(names, a.Exercise)
			}
		}
	}
	slices.Sort(names)
	return names
}

// attempt returns the student's attempt at an exercise, or an attempt without an outcome if there is none.
func (s submission) attempt(exercise string) notebook.Attempt {
	at := slices.IndexFunc(s.Attempts, func(a notebook.Attempt) bool { return a.Exercise == exercise })
	if at < 0 {
		return notebook.Attempt{Exercise: exercise}
	}
	return s.Attempts[at]
}

// exports names the output files for grades, and the assignment.
type exports struct{ moodle, nbgrader, feedback, assignment string }

func (e *exports) add(flags *pflag.FlagSet) {
	flags.StringVar(&e.moodle, "moodle", "", "file for Moodle's import of grades (CSV)")
	flags.StringVar(&e.nbgrader, "nbgrader", "", "file with the columns of nbgrader's export of grades (CSV)")
	flags.StringVar(&e.feedback, "feedback", "", "folder for a text file per student")
	flags.StringVar(&e.assignment, "assignment", "unlearnlab", "name of the assignment in these files")
}

func (e *exports) write(all []submission, p points) error {
	exercises := exercisesOf(all)
	if err := writeRows(e.moodle, e.moodleRows(all, exercises, p)); err != nil {
		return err
	}
	if err := writeRows(e.nbgrader, e.nbgraderRows(all, exercises, p)); err != nil {
		return err
	}
	if e.feedback == "" {
		return nil
	}
	for _, s := range all {
		err := cli.WritePath(io.Discard, filepath.Join(e.feedback, s.Student+".md"), func(w io.Writer) error {
			return e.writeFeedback(w, s, exercises, p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moodleRows returns a header and a row for each student: the user name, by which Moodle finds the user, the total, its
// maximum, feedback, and the points of each exercise.
func (e *exports) moodleRows(all []submission, exercises []string, p points) [][]string {
	rows := [][]string{append([]string{"Username", e.assignment, e.assignment + " (maximum)",
		e.assignment + " (feedback)"}, exercises...)}
	for _, s := range all {
		got, most := p.total(s, exercises)
		var open []string
		for _, name := range exercises {
			if s.attempt(name).Outcome != notebook.Solved {
				open = append(open, name)
			}
		}
		feedback := fmt.Sprintf("%d of %d solved", s.Solved, len(exercises))
		if len(open) > 0 {
			feedback += "; open: " + strings.Join(open, ", ")
		}
		row := []string{s.Student, number(got), number(most), feedback}
		for _, name := range exercises {
			row = append(row, number(p.score(s.attempt(name))))
		}
		rows = append(rows, row)
	}
	return rows
}

// nbgraderRows returns rows with the columns of nbgrader's CSV export.
func (e *exports) nbgraderRows(all []submission, exercises []string, p points) [][]string {
	rows := [][]string{{"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
		"late_submission_penalty", "score", "max_score"}}
	for _, s := range all {
		got, most := p.total(s, exercises)
		rows = append(rows, []string{e.assignment, "", "", s.Student, "", "", "", number(got), "0", number(got),
			number(most)})
	}
	return rows
}

func (e *exports) writeFeedback(w io.Writer, s submission, exercises []string, p points) error {
	var text strings.Builder
	got, most := p.total(s, exercises)
	fmt.Fprintf(&text, "# %s: %s\n\n%s of %s points, %d of %d exercises solved.\n\n", e.assignment, s.Student,
		number(got), number(most), s.Solved, len(exercises))
	for _, name := range exercises {
		a := s.attempt(name)
		fmt.Fprintf(&text, "- %s %s, %s of %s: %s\n", gradeSigns[a.Outcome], name, number(p.score(a)),
			number(p.most(name)), cmp.Or(a.Comment, string(a.Outcome), "not handed in"))
	}
	if s.Problem != "" {
		fmt.Fprintf(&text, "\nWhile reading or running: %s\n", strings.Join(strings.Fields(s.Problem), " "))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func writeRows(path string, rows [][]string) error {
	if path == "" {
		return nil
	}
	return safefile.WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
