package study

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// FirstRows is the default number of rows that a trace shows for each run.
const FirstRows = 3

// Trace lists the runs, files and rows that a cell is computed from.
type Trace struct {
	Paper     string       `json:"paper"`
	Table     string       `json:"table"`
	Preset    string       `json:"preset"`
	Plain     string       `json:"plain,omitempty"` // uncertified text; "" if the table has only certified cells
	Certified string       `json:"certified"`
	How       string       `json:"how"` // how the value is computed from the rows
	Cell      certify.Cell `json:"cell"`
	Opened    []Opened     `json:"opened"`
}

// Opened holds the rows that a cell reads for one purpose.
type Opened struct {
	For    Use         `json:"for"`
	Values []string    `json:"columns"` // columns that the cell is computed from
	Runs   []TracedRun `json:"runs"`
	SQL    []string    `json:"duckdb"` // DuckDB queries that return exactly these rows

	shown []string // names of the columns in the first rows
}

// TracedRun is a run from which a cell reads rows.
type TracedRun struct {
	certify.Run
	Repetition *int       `json:"repetition,omitempty"`
	Budget     int        `json:"budget,omitempty"`
	Backend    string     `json:"backend"`
	SIMD       string     `json:"simd"`
	File       string     `json:"file"` // "" if the run diverged before it was scored
	Rows       int        `json:"rows"`
	First      []FirstRow `json:"first"`
}

// FirstRow is one of the first rows that a cell reads from a run.
type FirstRow struct {
	Row    int            `json:"row"` // index in the file, counted from 0
	Values map[string]any `json:"values"`

	shown []report.Cell // cells in the order of the columns
}

// TraceCell finds the runs of a cell, their files, and the first rows of each file. For an unknown name it returns an
// [Unknown] error.
func TraceCell(r Tracer, table, row, column string, rows int) (*Trace, error) {
	cells, err := r.Cells(table)
	if err != nil {
		return nil, err
	}
	cell, err := find(cells, table, row, column)
	if err != nil {
		return nil, err
	}
	origin, err := r.Origin(table, cell.Row, cell.Column)
	if err != nil {
		return nil, err
	}
	t := &Trace{Paper: origin.Study.Paper, Table: table, Preset: origin.Preset, How: origin.How, Cell: cell,
		Opened: []Opened{}}
	if t.Plain, err = shown(r, cell, table, false); err != nil {
		return nil, err
	}
	if t.Certified, err = shown(r, cell, table, true); err != nil {
		return nil, err
	}
	return t, t.open(origin, rows)
}

// shown returns the cell's text in the table, or "" if the table lacks the cell.
func shown(r Results, cell certify.Cell, table string, certified bool) (string, error) {
	laid, err := r.Table(table, certified)
	if err != nil {
		return "", err
	}
	column := slices.IndexFunc(laid.Columns, func(c report.Column) bool { return c.Name == cell.Column })
	row := slices.IndexFunc(laid.Rows, func(l report.Row) bool { return l.Name == cell.Row })
	if column < 0 || row < 0 {
		return "", nil
	}
	return laid.Rows[row].Cells[column].Text, nil
}

// open reads the files that an origin lists.
func (t *Trace) open(origin *Origin, first int) error {
	queries := map[int][]query{}
	for _, reading := range origin.Readings {
		at := slices.IndexFunc(t.Opened, func(o Opened) bool {
			return o.For == reading.For && slices.Equal(o.Values, reading.Rows.Values)
		})
		if at < 0 {
			at = len(t.Opened)
			t.Opened = append(t.Opened, Opened{For: reading.For, Values: reading.Rows.Values,
				shown: reading.Rows.shownColumns()})
		}
		run, q, err := open(origin.Store, reading, first)
		if err != nil {
			return fmt.Errorf("%s: %w", reading.Run.Title, err)
		}
		t.Opened[at].Runs = append(t.Opened[at].Runs, run)
		if run.Rows > 0 {
			queries[at] = joined(queries[at], q)
		}
	}
	for at := range t.Opened {
		for _, q := range queries[at] {
			t.Opened[at].SQL = append(t.Opened[at].SQL, q.text())
		}
	}
	return nil
}

// open reads the rows that a cell uses from one run.
func open(s *store.Store, reading Reading, first int) (run TracedRun, q query, err error) {
	run = TracedRun{Run: RunsOf(reading)[0], Budget: reading.Budget, First: []FirstRow{}}
	if reading.Repetition >= 0 {
		run.Repetition = &reading.Repetition
	}
	artifact, err := s.Get(reading.Run.Key())
	if err != nil {
		return run, q, err
	}
	run.Backend, run.SIMD = artifact.Manifest.Backend, artifact.Manifest.SIMD
	place := func(r Reading) (store.Location, *safefile.Frame, error) { return locate(s, r) }
	at, frame, err := place(reading)
	if errors.Is(err, fs.ErrNotExist) {
		return run, q, nil
	}
	if err != nil {
		return run, q, err
	}
	rows, partial, err := reading.Rows.of(frame)
	if err != nil {
		return run, q, err
	}
	run.File, run.Rows = at.Path, len(rows)
	for _, row := range rows[:min(first, len(rows))] {
		run.First = append(run.First, reading.Rows.look(frame, row, at.First))
	}
	q, err = queryOf(at, reading.Rows, frame, partial, place)
	return run, q, err
}

// locate finds and reads the table of a reading. It returns [fs.ErrNotExist] if the run lacks the table.
func locate(s *store.Store, r Reading) (at store.Location, frame *safefile.Frame, err error) {
	artifact, err := s.Get(r.Run.Key())
	if err != nil {
		return at, nil, err
	}
	if !artifact.Has(r.File) {
		return at, nil, fs.ErrNotExist
	}
	if at, err = artifact.Locate(r.File); err != nil {
		return at, nil, err
	}
	frame, err = artifact.ReadTable(r.File, r.Rows.columns()...)
	return at, frame, err
}

// shownColumns returns the columns that a trace shows for each row.
func (s Selection) shownColumns() []string { return slices.Concat(s.By, s.Values) }

// look returns one row of a table, given the index of the table's first row in its file.
func (s Selection) look(frame *safefile.Frame, row, begins int) FirstRow {
	seen := FirstRow{Row: begins + row, Values: map[string]any{}}
	for _, name := range s.shownColumns() {
		column := frame.Column(name)
		if column.Texts != nil {
			seen.Values[name] = column.Texts[row]
			seen.shown = append(seen.shown, report.Word(column.Texts[row]))
			continue
		}
		switch value := column.Values[row]; {
		case math.IsNaN(value):
			seen.Values[name] = nil
			seen.shown = append(seen.shown, report.Word("–"))
		case column.Type == safefile.AsTruth:
			seen.Values[name] = value != 0
			seen.shown = append(seen.shown, report.Word(fmt.Sprint(value != 0)))
		default:
			seen.Values[name] = value
			seen.shown = append(seen.shown, report.Number(fmt.Sprintf("%.6g", value), value))
		}
	}
	return seen
}
