package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// ScoreTable describes a table of scores that a guest may bring. Its columns are the fields of the layout that have a
// bound. The other fields are copied from the study's scores of the same examples. A table without bounds is copied
// whole, so a guest brings no such table.
type ScoreTable struct {
	Layout
	Name     string // name of the file without its ending
	Optional bool   // a guest may leave out the table; the cells that need it are then empty
	// Case names the column that tells apart the sources of a part, such as the prompts of attacks. It is "" if a part
	// has one source.
	Case string
	// Sources returns the study's own files with the examples of a part.
	Sources func(p guest.Part) []ScoreSource
	// Finish computes fields that follow from the guest's columns. It may be nil.
	Finish func(frame *safefile.Frame) (*safefile.Frame, error)
}

// ScoreSource is a file with the study's own scores.
type ScoreSource struct {
	Case string // value of the column [ScoreTable.Case]
	Run  *Run
	File string
}

// columns returns the fields that a guest's file has.
func (t *ScoreTable) columns() (fields []safefile.Field) {
	for _, field := range t.Fields {
		if _, own := t.Bounds[field.Name]; own {
			fields = append(fields, field)
		}
	}
	return fields
}

// guestTables returns the tables that guests bring at the preset.
func (h *Host) guestTables() (tables []*ScoreTable) {
	for i := range h.Scores {
		if table := &h.Scores[i]; len(table.Bounds) > 0 && len(table.cases(h)) > 0 {
			tables = append(tables, table)
		}
	}
	return tables
}

// noun returns the name of the column that holds the repetition.
func (h *Host) noun() string {
	noun := h.Scores[0].Repetitions.Singular
	return noun[strings.LastIndex(noun, " ")+1:]
}

const templateHint = "--template DIR writes the rows, with " + unfilled + " in the cells to fill in."

// Schema returns a table that describes the columns of the files of scores.
func (h *Host) Schema() *report.Table {
	tables := h.guestTables()
	t := &report.Table{Title: "Columns of a file of scores", Corner: "Column",
		Columns: []report.Column{{Name: "Type", Words: true}, {Name: "Meaning", Words: true}},
		Note: fmt.Sprintf("One row for each of the %s of a %s, in any order: exactly the %[1]s that the study's "+
			"models are judged on. A score is empty for the %[1]s that have no such score: "+templateHint,
			tables[0].Examples, tables[0].Repetitions.Singular)}
	if len(tables) > 1 {
		t.Title, t.Corners = "Columns of a folder of scores", []string{"File", "Column"}
		t.Note = "Each file ends in .csv, .tsv or .parquet. It has one row for each of the examples that the study's " +
			"models are judged on, in any order, and no others. A score is empty for the examples that have no such " +
			"score: " + templateHint
	}
	for _, table := range tables {
		h.describe(t, table, len(tables) > 1)
		if table.Optional {
			t.Note += fmt.Sprintf(" The file %s may be left out.", table.Name)
		}
	}
	return t
}

// describe adds the columns of a table to the schema.
func (h *Host) describe(t *report.Table, table *ScoreTable, several bool) {
	add := func(name, kind, about string) {
		row := report.Named(name)
		if several {
			row = report.Named(table.Name, name)
		}
		t.Rows = append(t.Rows, row.With(report.Word(kind), report.Word(about)))
	}
	add(h.noun(), "whole number",
		fmt.Sprintf("number of the %s, from 0; or leave out the column and give --world N", h.noun()))
	if h.Parts != nil {
		add(h.PartColumn, "text", "one of "+strings.Join(h.Parts, ", "))
	}
	if table.Case != "" {
		add(table.Case, "text", "one of "+strings.Join(table.cases(h), ", "))
	}
	for _, field := range table.columns() {
		bound := table.Bounds[field.Name]
		kind := "number"
		switch {
		case field.Words:
			kind = "text"
		case bound.Whole:
			kind = "whole number"
		}
		add(field.Name, kind+bound.limits(), bound.About)
	}
}

// cases returns the values of the column [ScoreTable.Case] in all parts of the first repetition.
func (t *ScoreTable) cases(h *Host) (all []string) {
	parts := h.Parts
	if parts == nil {
		parts = []string{""}
	}
	known := map[string]bool{}
	for _, part := range parts {
		for _, source := range t.Sources(guest.Part{Of: part}) {
			if !known[source.Case] {
				all, known[source.Case] = append(all, source.Case), true
			}
		}
	}
	return all
}

// Bound limits the values of a column of scores.
type Bound struct {
	Lo, Hi float64
	Whole  bool   // only whole numbers
	Empty  bool   // the guest may leave the cells empty
	Free   bool   // any text, such as a model's answer; otherwise the text of the example
	Most   string // column of the example that holds the largest value; "" for none
	// Last returns the largest value in a part; it is nil if Hi is the largest.
	Last  func(p guest.Part) float64
	About string // what the column holds
}

// limits describes the limits in words.
func (b Bound) limits() string {
	switch {
	case b.Lo == 0 && b.Hi == 0:
		return ""
	case math.IsInf(b.Hi, 1):
		return fmt.Sprintf(", at least %g", b.Lo)
	case math.IsInf(b.Lo, -1):
		return fmt.Sprintf(", at most %g", b.Hi)
	}
	return fmt.Sprintf(", from %g to %g", b.Lo, b.Hi)
}
