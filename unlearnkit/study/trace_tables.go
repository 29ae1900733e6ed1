package study

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// TraceTables returns tables that show what a cell was computed from. For an unknown row or column it returns an
// [Unknown] error.
func (s *Study) TraceTables(r Results, table, row, column string) ([]*report.Table, error) {
	traced, err := s.Tracer(r)
	if err != nil {
		return nil, err
	}
	t, err := TraceCell(traced, table, row, column, FirstRows)
	if err != nil {
		return nil, err
	}
	return t.Tables(), nil
}

// Tables returns the trace as tables: the cell, and for each purpose the runs, the queries and the first rows.
func (t *Trace) Tables() []*report.Table {
	words := func(name string) report.Column { return report.Column{Name: name, Words: true} }
	cell := &report.Table{Title: fmt.Sprintf("%s of %s, Table %s of %s (%s)", t.Cell.Column, t.Cell.Row, t.Table,
		t.Paper, t.Preset), Corner: "The cell", Columns: []report.Column{words("")}}
	add := func(name, text string) {
		if text != "" {
			cell.Rows = append(cell.Rows, report.Row{Name: name, Cells: []report.Cell{report.Word(text)}})
		}
	}
	add("in the table", t.Plain)
	add("certified", t.Certified)
	add("computed as", t.How)
	tables := []*report.Table{cell}
	for _, o := range t.Opened {
		tables = append(tables, o.runs())
		if first := o.first(); len(first.Rows) > 0 {
			tables = append(tables, first)
		}
	}
	last := tables[len(tables)-1]
	if len(t.Opened) == 0 {
		last.Note = "No scores are behind this cell."
		return tables
	}
	last.Code = strings.TrimPrefix(last.Code+"\n"+t.remake(), "\n")
	return tables
}

// remake returns a sentence with the command that computes a run again.
func (t *Trace) remake() string {
	return fmt.Sprintf("To make a run again and compare it: unlearnlab verify %s --preset %s",
		short(t.Opened[0].Runs[0].Key), t.Preset)
}

// uses maps each purpose to the title of its tables.
var uses = map[Use]string{ForValue: "The value", ForTarget: "Its target",
	ForMargin: "The margin within which it counts", ForChoice: "The choice of the rows"}

// runs returns a table with one row per run.
func (o Opened) runs() *report.Table {
	t := &report.Table{Corner: "Run", Title: fmt.Sprintf("%s: %s %s of %s", uses[o.For],
		plural("column", len(o.Values)), strings.Join(o.Values, ", "), o.files())}
	for _, name := range []string{"Title", "Repetition", "Budget", "Device", "Rows"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: name == "Title" || name == "Device"})
	}
	for _, run := range o.Runs {
		repetition, budget := report.Word("–"), report.Word("–")
		if run.Repetition != nil {
			repetition = report.Number(strconv.Itoa(*run.Repetition), float64(*run.Repetition))
		}
		if run.Budget > 0 {
			budget = report.Number(strconv.Itoa(run.Budget), float64(run.Budget))
		}
		rows := report.Number(strconv.Itoa(run.Rows), float64(run.Rows))
		if run.File == "" {
			rows = report.Word("diverged")
		}
		t.Rows = append(t.Rows, report.Row{Name: short(run.Key), Cells: []report.Cell{report.Word(run.Title),
			repetition, budget, report.Word(run.Backend + " " + run.SIMD), rows}})
	}
	var lines []string
	for _, statement := range o.SQL {
		lines = append(lines, "duckdb.sql("+strconv.Quote(statement)+")")
	}
	t.Code = strings.Join(lines, "\n")
	return t
}

// files returns the folder or the file that all rows have in common.
func (o Opened) files() string {
	var known []string
	for _, run := range o.Runs {
		if run.File != "" {
			known = append(known, filepath.ToSlash(run.File))
		}
	}
	if len(known) == 0 {
		return "no file"
	}
	common := known[0]
	for _, file := range known[1:] {
		for common != file && !strings.HasPrefix(file, common+"/") && common != path.Dir(common) {
			common = path.Dir(common)
		}
	}
	if common == known[0] {
		return common
	}
	return fmt.Sprintf("%s of each run in %s", path.Base(known[0]), common)
}

// first returns a table of each run's first rows, with their indices in the file.
func (o Opened) first() *report.Table {
	t := &report.Table{Title: "First rows", Corners: []string{"Run", "Row"}}
	for _, run := range o.Runs {
		for _, row := range run.First {
			t.Rows = append(t.Rows, report.Named(short(run.Key), fmt.Sprint(row.Row)).With(row.shown...))
		}
	}
	for _, name := range o.shown {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: o.words(name)})
	}
	return t
}

// words reports whether a column of the first rows contains text.
func (o Opened) words(column string) bool {
	for _, run := range o.Runs {
		for _, row := range run.First {
			_, is := row.Values[column].(string)
			return is
		}
	}
	return false
}

func short(key string) string { return fmt.Sprintf("%.*s", keyDigits, key) }

func plural(noun string, count int) string {
	if count == 1 {
		return noun
	}
	return noun + "s"
}
