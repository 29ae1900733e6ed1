package study

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// partColumn is the column that names the part, in studies whose repetitions have several models.
const partColumn = "part"

// scoreReader reads a guest's file of scores.
type scoreReader struct {
	*Host
	path   string
	frame  *safefile.Frame
	first  int // line of the first row in the file
	noun   string
	only   int // repetition of all rows, or -1 if a column holds it
	byPart map[guest.Part]*partRows
	parts  []guest.Part // parts in the order of the file
}

// partRows matches rows of the file to the examples of one part.
type partRows struct {
	examples *safefile.Frame
	at       map[string]int // index of each example, by its keys
	rows     []int          // row of the file for each example, or -1
}

// ReadScores reads a guest's scores from a CSV file with a header or a Parquet file. The file has one row per example
// of each repetition, in any order, and the columns of [Host.Schema]. If only is not negative, all rows belong to this
// repetition and the column for it is omitted. Errors name the line, the column and what to do.
func (h *Host) ReadScores(s *store.Store, path string, only int) ([]guest.Part, Frames, error) {
	if h.Layout.Fields == nil {
		return nil, nil, errors.New("the study takes models alone, because its scores are many tables; give --models")
	}
	frame, err := safefile.ReadWords(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; unlearnlab evaluate PAPER --schema prints the columns of such a file", err)
	}
	r := &scoreReader{Host: h, path: path, frame: frame, first: 2, noun: h.Layout.Repetitions.Singular, only: only,
		byPart: map[guest.Part]*partRows{}}
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		r.first = 1
	}
	if err := r.columns(); err != nil {
		return nil, nil, err
	}
	for row := range frame.Rows() {
		if err := r.row(s, row); err != nil {
			return nil, nil, err
		}
	}
	return r.finish()
}

// noun returns the name of the column that holds the repetition.
func (h *Host) noun() string {
	noun := h.Layout.Repetitions.Singular
	return noun[strings.LastIndex(noun, " ")+1:]
}

// names returns the names of the columns that a file of scores must have.
func (h *Host) names(only int) (names []string) {
	if only < 0 {
		names = append(names, h.noun())
	}
	if h.Parts != nil {
		names = append(names, partColumn)
	}
	for _, field := range h.Layout.Fields {
		names = append(names, field.Name)
	}
	return names
}

// Schema returns a table that describes the columns of a file of scores.
func (h *Host) Schema() *report.Table {
	t := &report.Table{Title: "Columns of a file of scores", Corner: "Column",
		Columns: []report.Column{{Name: "Type", Words: true}, {Name: "Meaning", Words: true}},
		Note: fmt.Sprintf("One row for each of the %s of a %s, in any order: exactly the %[1]s that the study's models are "+
			"judged on. A score is empty for the %[1]s that have no such score.", h.Layout.Examples,
			h.Layout.Repetitions.Singular)}
	add := func(name, kind, about string) {
		t.Rows = append(t.Rows, report.Row{Name: name, Cells: []report.Cell{report.Word(kind), report.Word(about)}})
	}
	add(h.noun(), "whole number", fmt.Sprintf("number of the %s, from 0; --world N replaces the column", h.noun()))
	if h.Parts != nil {
		add(partColumn, "text", "one of "+strings.Join(h.Parts, ", "))
	}
	for _, field := range h.Layout.Fields {
		bound := h.Layout.Bounds[field.Name]
		switch {
		case field.Words:
			add(field.Name, "text", bound.About)
		case bound.Whole:
			add(field.Name, "whole number"+bound.limits(), bound.About)
		default:
			add(field.Name, "number"+bound.limits(), bound.About)
		}
	}
	return t
}

// at returns an error that names a cell of the file.
func (r *scoreReader) at(row int, column, format string, arguments ...any) error {
	unit := "line"
	if r.first == 1 {
		unit = "row"
	}
	return fmt.Errorf("read %s, %s %d, column %q: %s", r.path, unit, row+r.first, column, fmt.Sprintf(format, arguments...))
}

// columns checks the names of the columns.
func (r *scoreReader) columns() error {
	want := r.names(r.only)
	var has []string
	for _, column := range r.frame.Columns {
		has = append(has, column.Name)
	}
	for _, name := range want {
		if !slices.Contains(has, name) {
			return fmt.Errorf("read %s, line 1: the column %q is missing; unlearnlab evaluate PAPER --schema describes it",
				r.path, name)
		}
	}
	for i, name := range has {
		switch {
		case slices.Contains(has[:i], name):
			return fmt.Errorf("read %s, line 1: two columns are named %q; remove one", r.path, name)
		case r.only >= 0 && name == r.Host.noun():
			return fmt.Errorf("read %s, line 1: there is a column %q; leave out --world, or the column", r.path, name)
		case !slices.Contains(want, name):
			hint := "remove it"
			if near := spelling.Nearest(name, want); near != "" {
				hint = fmt.Sprintf("remove it, or call it %q if that is meant", near)
			}
			return fmt.Errorf("read %s, line 1: no column is named %q; %s", r.path, name, hint)
		}
	}
	return nil
}

func (r *scoreReader) text(row int, column string) string { return r.frame.Column(column).Texts[row] }

// part returns the part that a row belongs to.
func (r *scoreReader) part(row int) (p guest.Part, err error) {
	p.Repetition = r.only
	if noun := r.Host.noun(); r.only < 0 {
		text := r.text(row, noun)
		if p.Repetition, err = strconv.Atoi(text); err != nil || p.Repetition < 0 || p.Repetition >= r.Repetitions {
			return p, r.at(row, noun, "%.40q is no %s of the preset; give a number from 0 to %d", text, noun, r.Repetitions-1)
		}
	}
	if r.Parts != nil {
		if p.Of = r.text(row, partColumn); !slices.Contains(r.Parts, p.Of) {
			return p, r.at(row, partColumn, "%.60q is no part of the study; give one of %s", p.Of, strings.Join(r.Parts, ", "))
		}
	}
	return p, nil
}

// rowsOf returns the rows of a part. At the first call for a part, it reads the part's examples.
func (r *scoreReader) rowsOf(s *store.Store, p guest.Part) (*partRows, error) {
	if rows, known := r.byPart[p]; known {
		return rows, nil
	}
	run, file := r.Examples(p)
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	frame, err := artifact.ReadTable(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	rows := &partRows{examples: frame, at: map[string]int{}, rows: make([]int, frame.Rows())}
	for row := range rows.rows {
		rows.rows[row] = -1
		rows.at[r.key(func(column string) string { return textOf(frame.Column(column), row) })] = row
	}
	r.byPart[p], r.parts = rows, append(r.parts, p)
	return rows, nil
}

// key returns the text that identifies an example.
func (r *scoreReader) key(of func(column string) string) string {
	var texts []string
	for _, name := range r.Layout.Keys {
		texts = append(texts, of(name))
	}
	return strings.Join(texts, "\x00")
}

// textOf returns a cell as text. Equal numbers give equal texts.
func textOf(c *safefile.Column, row int) string {
	if c.Texts != nil {
		return c.Texts[row]
	}
	return strconv.FormatFloat(c.Values[row], 'g', -1, 64)
}

// row checks a row of the file and assigns it to its example.
func (r *scoreReader) row(s *store.Store, row int) error {
	part, err := r.part(row)
	if err != nil {
		return err
	}
	rows, err := r.rowsOf(s, part)
	if err != nil {
		return err
	}
	for _, name := range r.Layout.Keys {
		if _, err := strconv.ParseFloat(r.text(row, name), 64); err != nil && rows.examples.Column(name).Texts == nil {
			return r.at(row, name, "%.40q is not a number; give the number that the exported data have", r.text(row, name))
		}
	}
	key := r.key(func(column string) string {
		text := r.text(row, column)
		if value, err := strconv.ParseFloat(text, 64); err == nil && rows.examples.Column(column).Texts == nil {
			return strconv.FormatFloat(value, 'g', -1, 64)
		}
		return text
	})
	id := r.Layout.Keys[0]
	at, known := rows.at[key]
	if !known {
		return r.at(row, id, "%.60q with %s is none of the %s of %s %d; score the rows of the exported data and no others",
			r.text(row, id), r.others(row), r.Layout.Examples, r.noun, part.Repetition)
	}
	if before := rows.rows[at]; before >= 0 {
		return r.at(row, id, "%.60q is already in line %d; give each of the %s once", r.text(row, id), before+r.first,
			r.Layout.Examples)
	}
	rows.rows[at] = row
	for _, field := range r.Layout.Fields {
		if slices.Contains(r.Layout.Keys, field.Name) {
			continue
		}
		if field.Words {
			if want := rows.examples.Column(field.Name).Texts[at]; r.text(row, field.Name) != want {
				return r.at(row, field.Name, "%.60q should be %.60q, as in the exported data", r.text(row, field.Name), want)
			}
			continue
		}
		if err := r.value(row, field.Name, rows.examples.Column(field.Name).Values[at]); err != nil {
			return err
		}
	}
	return nil
}

// others describes the keys of a row except the first, for messages.
func (r *scoreReader) others(row int) string {
	var texts []string
	for _, name := range r.Layout.Keys[1:] {
		texts = append(texts, fmt.Sprintf("%s %.40s", name, r.text(row, name)))
	}
	return strings.Join(texts, ", ")
}

// value checks a score. like is another model's score for the same example.
func (r *scoreReader) value(row int, column string, like float64) error {
	text := r.text(row, column)
	value, err := scoreOf(text)
	bound := r.Layout.Bounds[column]
	switch {
	case err != nil:
		return r.at(row, column, "%.40q is not a number; give a number, or nothing for a row without this score", text)
	case math.IsInf(value, 0):
		return r.at(row, column, "%s is not finite; the model has diverged, so evaluate an earlier checkpoint", text)
	case math.IsNaN(value) && !math.IsNaN(like):
		return r.at(row, column, "the score is missing; every model has it for this row")
	case !math.IsNaN(value) && math.IsNaN(like):
		return r.at(row, column, "%s is given, but no model has this score for this row; leave the cell empty", text)
	case math.IsNaN(value) || bound.Lo == 0 && bound.Hi == 0:
		return nil
	case value < bound.Lo || value > bound.Hi || bound.Whole && value != math.Trunc(value):
		whole := "number"
		if bound.Whole {
			whole = "whole number"
		}
		return r.at(row, column, "%s is no %s%s", text, whole, bound.limits())
	}
	return nil
}

// scoreOf parses a score. It returns NaN for an empty cell, "nan", "null" and "none".
func scoreOf(text string) (float64, error) {
	switch strings.ToLower(text) {
	case "", "nan", "null", "none":
		return math.NaN(), nil
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return strconv.ParseFloat(text, 64)
}

// finish returns the scores of each part, or an error if an example has no row.
func (r *scoreReader) finish() (parts []guest.Part, frames Frames, err error) {
	frames = Frames{}
	for _, p := range r.parts {
		rows := r.byPart[p]
		if at := slices.Index(rows.rows, -1); at >= 0 {
			left := len(slices.DeleteFunc(slices.Clone(rows.rows), func(row int) bool { return row >= 0 }))
			return nil, nil, fmt.Errorf("read %s: %d of the %d %s of %s %d are missing, the first is %s; score every row of "+
				"the exported data", r.path, left, len(rows.rows), r.Layout.Examples, r.noun, p.Repetition,
				r.Layout.example(rows.examples, at))
		}
		frame := r.scores(rows)
		p.Scores, p.From = digestOf(frame), r.path
		frames[p.Scores] = frame
		parts = append(parts, p)
	}
	return parts, frames, nil
}

// scores returns the scores of a part in the order of its examples.
func (r *scoreReader) scores(rows *partRows) *safefile.Frame {
	frame := &safefile.Frame{Path: r.path}
	for _, field := range r.Layout.Fields {
		column := *rows.examples.Column(field.Name)
		if !slices.Contains(r.Layout.Keys, field.Name) && !field.Words {
			column.Values = make([]float64, len(rows.rows))
			for at, row := range rows.rows {
				column.Values[at], _ = scoreOf(r.text(row, field.Name)) // the method value checked it before
			}
			column.Type = safefile.AsDouble
		}
		frame.Columns = append(frame.Columns, column)
	}
	return frame
}

// digestOf returns the SHA-256 of a frame's content.
func digestOf(frame *safefile.Frame) string {
	sum := sha256.New()
	for i := range frame.Columns {
		fmt.Fprintf(sum, "%s\n", frame.Columns[i].Name)
		for row := range frame.Rows() {
			fmt.Fprintf(sum, "%s\n", textOf(&frame.Columns[i], row))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
