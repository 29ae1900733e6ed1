// Package origintest checks, for tests of studies, that the runs named by cells are their origin.
package origintest

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Study describes a study whose runs are all in the store.
type Study struct {
	Plan   *study.Plan
	Store  *store.Store
	Read   func(s *store.Store) (study.Tracer, error)
	Tables []string
	// Change returns a different score for a value in a column of a file, and keeps the columns that identify rows.
	// Every cell that reads the column must change.
	Change func(column string, value float64) float64
}

// Exact checks that a cell changes if and only if the scores of one of its runs change, and that every cell is traced
// to the same runs. It ignores adjustments over a whole table, because they depend on all cells of the table.
func (s Study) Exact(t *testing.T) {
	t.Helper()
	before := s.cells(t, "")
	seen := 0
	for _, run := range s.Plan.Runs() {
		after := s.cells(t, run.Key())
		for at, cell := range after {
			named := slices.ContainsFunc(cell.From, func(r certify.Run) bool { return r.Key == string(run.Key()) })
			if changed := own(t, cell) != own(t, before[at]); changed != named {
				t.Errorf("table %s, %s of %s: its runs name %s: %v; it changes with the scores of that: %v", at.table,
					at.column, at.row, run.Title, named, changed)
			} else if named {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no cell names a run")
	}
	s.traced(t, before)
}

// traced checks that every cell is traced to the runs it names.
func (s Study) traced(t *testing.T, cells map[place]certify.Cell) {
	t.Helper()
	r, err := s.Read(s.Store)
	if err != nil {
		t.Fatal(err)
	}
	for at, cell := range cells {
		origin, err := r.Origin(at.table, at.row, at.column)
		if err != nil {
			t.Error(err)
			continue
		}
		if traced := study.RunsOf(origin.Readings...); !slices.Equal(traced, cell.From) {
			t.Errorf("table %s, %s of %s: traced to %v, it names %v", at.table, at.column, at.row, traced, cell.From)
		}
	}
}

// place identifies a cell.
type place struct{ table, row, column string }

// cells returns the cells of all tables, computed with different scores for the run changed. If changed is empty, no
// scores differ.
func (s Study) cells(t *testing.T, changed store.Key) map[place]certify.Cell {
	t.Helper()
	over, err := store.Open(t.TempDir(), store.Above(shelf{s, changed}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Read(over)
	if err != nil {
		t.Fatal(err)
	}
	all := map[place]certify.Cell{}
	for _, table := range s.Tables {
		cells, err := r.Cells(table)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range cells {
			all[place{table, cell.Row, cell.Column}] = cell
		}
	}
	return all
}

// own encodes a cell without the values that depend on other cells of its table.
func own(t *testing.T, c certify.Cell) string {
	t.Helper()
	c.PAdjusted, c.DifferenceAdjusted, c.Basis.Tests, c.PBasis.Tests = math.NaN(), math.NaN(), 0, 0
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shelf holds the artifacts of a study, one of them with different scores.
type shelf struct {
	Study
	changed store.Key
}

func (s shelf) Get(key store.Key) (*store.Artifact, error) {
	artifact, err := s.Store.Get(key)
	if err != nil {
		return nil, err
	}
	return store.NewArtifact(artifact.Manifest, content{artifact, s}), nil
}

func (s shelf) Keys() ([]store.Key, error) { return nil, nil }

// content is an artifact's files, perhaps with different scores.
type content struct {
	*store.Artifact
	shelf shelf
}

func (c content) Place() string { return string(c.Key) }

func (c content) ReadTable(name string, columns ...string) (*safefile.Frame, error) {
	frame, err := c.Artifact.ReadTable(name, columns...)
	if err != nil || c.Key != c.shelf.changed {
		return frame, err
	}
	for i := range frame.Columns {
		column := &frame.Columns[i]
		column.Values = slices.Clone(column.Values)
		for row, value := range column.Values {
			column.Values[row] = c.shelf.Change(column.Name, value)
		}
	}
	return frame, nil
}

func (c content) Verify(string, store.File) (string, error) { return "", nil }
