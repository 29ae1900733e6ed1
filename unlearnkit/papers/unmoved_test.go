package papers_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
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

var update = flag.Bool("update", false, "write the sums anew")

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
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", path, diff)
	}
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
	home := t.TempDir()
	var lines []string
	for _, s := range papers.All {
		for _, preset := range study.SmallPresets(s) {
			found, err := s.Open(home, preset)
			if errors.As(err, new(*study.Absent)) {
				continue // the preset does not ship
			}
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, cellsOf(t, s, preset, found)...)
		}
	}
	unmoved(t, "testdata/cells.txt", lines)
}

// cellsOf returns a line for each table and a line for the claims. A line has the name, the number of cells, and a
// hash.
func cellsOf(t *testing.T, s *study.Study, preset string, found study.Results) (lines []string) {
	t.Helper()
	add := func(name string, table *report.Table, err error) {
		if errors.As(err, new(*study.Lacks)) {
			return
		}
		if err != nil {
			t.Errorf("%s %s, table %s: %v", s.Paper, preset, name, err)
			return
		}
		sum := sha256.New()
		cells := addTable(sum, table)
		lines = append(lines, fmt.Sprintf("%s %s %s %d %x", s.Paper, preset, name, cells, sum.Sum(nil)))
	}
	for _, item := range s.Tables {
		table, err := found.Table(item.Name, false)
		add(item.Name, table, err)
		table, err = found.Table(item.Name, true)
		add(item.Name+" certified", table, err)
	}
	for _, item := range s.Further {
		table, err := found.Table(item.Name, false)
		add(item.Name, table, err)
	}
	addClaims := func(name string, claims []certify.Judged) {
		sum := sha256.New()
		for _, j := range claims {
			addClaim(sum, j)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %d %x", s.Paper, preset, name, len(claims), sum.Sum(nil)))
	}
	addClaims("claims", found.Claims())
	if s.Answers != nil {
		addClaims("answers", s.AnswersOf(found))
	}
	return lines
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

// addTable adds the rows and cells of a table to a hash, without its notes. It returns the number of cells. Values have
// six digits, because other processors may round differently.
func addTable(sum hash.Hash, table *report.Table) (cells int) {
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
	return cells
}

func addClaim(sum hash.Hash, j certify.Judged) {
	fmt.Fprintf(sum, "%q %q %q %.6g %.6g %.6g %.4g %.4g\n", j.Claim, j.Family, j.Verdict, j.Statistic, j.Lo, j.Hi, j.P,
		j.PAdjusted)
}
