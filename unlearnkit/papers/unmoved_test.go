package papers_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

var update = flag.Bool("update", false, "write the files in testdata again")

// unmoved compares lines with a file in testdata. With -update it writes the file instead.
func unmoved(t *testing.T, path string, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inContext(strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")), inContext(lines)); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", path, diff)
	}
}

// inContext puts the name of its section before each indented line, so that a difference shows where it is.
func inContext(lines []string) []string {
	section := ""
	placed := slices.Clone(lines)
	for i, line := range lines {
		if !strings.HasPrefix(line, " ") {
			section, _, _ = strings.Cut(line, ":")
			continue
		}
		placed[i] = section + "," + line[1:]
	}
	return placed
}

// Results are stored under the keys of their runs. If a key changes, shipped results are lost, and with them hours of
// training.
func TestKeys_Unmoved(t *testing.T) {
	var lines []string
	for _, s := range papers.All {
		for _, preset := range study.SmallPresets(s) {
			plan, err := s.Plan(study.Request{Preset: preset})
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.New()
			for _, run := range plan.Runs() {
				fmt.Fprintln(sum, run.Key())
			}
			lines = append(lines, fmt.Sprintf("%s %s %d %x", s.Paper, preset, len(plan.Runs()), sum.Sum(nil)))
		}
	}
	unmoved(t, "testdata/keys.txt", lines)
}

// Shipped results must give the same cells and claims as before.
func TestCells_Unmoved(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: certifies all that ships")
	}
	var lines []string
	for _, s := range papers.All {
		for _, preset := range study.SmallPresets(s) {
			if preset == mainPreset(s) {
				summary := summaryOf(t, s)
				lines = append(lines, cellsOf(t, s, preset, summary.Results, summary.answers)...)
				continue
			}
			found, err := s.Open(home, preset)
			if errors.As(err, new(*study.Absent)) {
				continue // the preset does not ship
			}
			if err != nil {
				t.Fatal(err)
			}
			var answers []certify.Judged
			if s.Answers != nil {
				answers = s.AnswersOf(found)
			}
			lines = append(lines, cellsOf(t, s, preset, found, answers)...)
		}
	}
	unmoved(t, "testdata/cells.txt", onceEach(lines))
}

// onceEach removes the indented lines of a section that has the same paper and sum as one before.
func onceEach(lines []string) (short []string) {
	known := map[string]bool{}
	listed := true
	for _, line := range lines {
		if !strings.HasPrefix(line, " ") {
			paper, _, _ := strings.Cut(line, " ")
			_, sum, _ := strings.Cut(line, ": ")
			listed = !known[paper+sum]
			known[paper+sum] = true
		}
		if listed || !strings.HasPrefix(line, " ") {
			short = append(short, line)
		}
	}
	return short
}

// cellsOf returns the tables and the claims as sections: a line with a name and a sum, and indented lines with the
// content. A table that is also certified has lines only there, with its verdicts.
func cellsOf(t *testing.T, s *study.Study, preset string, found study.Results,
	answers []certify.Judged) (lines []string) {
	t.Helper()
	add := func(name string, certified bool) {
		table, err := found.Table(name, certified)
		if errors.As(err, new(*study.Lacks)) {
			return
		}
		if err != nil {
			t.Errorf("%s %s, table %s: %v", s.Paper, preset, name, err)
			return
		}
		head := fmt.Sprintf("%s %s table %s", s.Paper, preset, name)
		if certified {
			head += " certified"
		}
		lines = append(lines, head+sumOfTable(table))
		if certified || !slices.ContainsFunc(s.Tables, func(i study.Item) bool { return i.Name == name }) {
			lines = append(lines, rowLines(table)...)
		}
	}
	for _, item := range s.Tables {
		add(item.Name, false)
		add(item.Name, true)
	}
	for _, item := range s.Further {
		add(item.Name, false)
	}
	claims := found.Claims()
	lines = append(lines, fmt.Sprintf("%s %s claims%s", s.Paper, preset, sumOfClaims(claims)))
	lines = append(lines, claimLines(claims)...)
	if s.Answers == nil {
		return lines
	}
	lines = append(lines, fmt.Sprintf("%s %s answers%s", s.Paper, preset, sumOfClaims(answers)))
	return append(lines, claimLines(answers)...)
}

// Shipped results that are published again must have the same bytes.
func TestPublished_Unmoved(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: publishes all that ships")
	}
	var lines []string
	for _, s := range papers.All {
		from, err := store.Open(t.TempDir(), store.Above(s.Shelves()...))
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range study.SmallPresets(s) {
			folder := t.TempDir()
			plan, err := s.Plan(study.Request{Preset: preset})
			if err == nil {
				err = plan.Publish(from, folder)
			}
			if errors.As(err, new(*study.NothingError)) {
				continue // the preset does not ship
			}
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, sumsOf(t, s.Paper+" "+preset, folder)...)
		}
	}
	unmoved(t, "testdata/published.txt", lines)
}

// sumsOf returns a line for each file in a folder, with the file's name, size and hash. If gzip compressed the file, size
// and hash are those of its content, because another release of Go may compress otherwise.
func sumsOf(t *testing.T, head, folder string) (lines []string) {
	t.Helper()
	system := os.DirFS(folder)
	err := fs.WalkDir(system, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(system, name)
		if err == nil && strings.HasSuffix(name, ".gz") {
			content = publishtest.Unzipped(t, filepath.Join(folder, name))
		}
		lines = append(lines, fmt.Sprintf("%s %s %d %x", head, name, len(content), sha256.Sum256(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// sumOfTable returns the number of cells and a hash of the rows and cells of a table, without its notes. Values have six
// digits, because other processors may round differently.
func sumOfTable(table *report.Table) string {
	sum, cells := sha256.New(), 0
	for _, column := range table.Columns {
		fmt.Fprintf(sum, "%q\n", column.Name)
	}
	for _, row := range table.Rows {
		fmt.Fprintf(sum, "%q %q\n", row.Group, row.Name)
		for _, cell := range row.Cells {
			fmt.Fprintf(sum, "%q %.6g\n", cell.Text, cell.Value)
			cells++
		}
	}
	return fmt.Sprintf(": %d cells, sum %x", cells, sum.Sum(nil)[:8])
}

// mostRows is the number of rows up to which a table is listed row by row.
const mostRows = 500

// rowLines returns a line with the columns of a table and a line for each row: values with three digits and, if a cell
// is certified, the sign of its verdict. Intervals and further digits are only in the table's sum.
func rowLines(table *report.Table) (lines []string) {
	if len(table.Rows) > mostRows {
		return nil
	}
	var names []string
	for _, column := range table.Columns {
		names = append(names, oneLine(column.Name))
	}
	lines = append(lines, "  columns: "+strings.Join(names, "|"))
	for _, row := range table.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cellText(cell))
		}
		name := row.Name
		if row.Group != "" && !strings.HasSuffix(name, row.Group) {
			name += " (" + row.Group + ")"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", name, strings.Join(cells, "|")))
	}
	return lines
}

func cellText(cell report.Cell) string {
	if math.IsNaN(cell.Value) {
		return oneLine(cell.Text)
	}
	text := fmt.Sprintf("%.3g", cell.Value)
	if cell.Judged != nil {
		text += cell.Judged.Standing.Sign()
	}
	if cell.Judged != nil && cell.Judged.Differs {
		text += "*"
	}
	return text
}

// oneLine returns at most 24 characters of a text, without line breaks.
func oneLine(text string) string {
	short := []rune(strings.ReplaceAll(text, "\n", " "))
	return string(short[:min(24, len(short))])
}

// sumOfClaims returns the number of claims and a hash of their verdicts and numbers.
func sumOfClaims(claims []certify.Judged) string {
	sum := sha256.New()
	for _, j := range claims {
		fmt.Fprintf(sum, "%q %q %q %.6g %.6g %.6g %.4g %.4g\n", j.Claim, j.Family, j.Verdict, j.Statistic, j.Lo, j.Hi, j.P,
			j.PAdjusted)
	}
	return fmt.Sprintf(": %d claims, sum %x", len(claims), sum.Sum(nil)[:8])
}

// claimLines returns a line for each claim with its verdict, its number, and its p-value before and after the correction.
func claimLines(claims []certify.Judged) (lines []string) {
	for _, j := range claims {
		lines = append(lines, fmt.Sprintf("  %s: %s, %.3g, p %.2g -> %.2g", j.Claim, j.Verdict, j.Statistic, j.P,
			j.PAdjusted))
	}
	return lines
}
