package study

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// scoreFile reads the file of one table.
type scoreFile struct {
	*scoreReader
	*ScoreTable
	path  string
	frame *safefile.Frame
	first int // line of the first row in the file
}

// read checks the score file of a table and adds its rows to the reader.
func (r *scoreReader) read(table *ScoreTable, path string) error {
	frame, err := safefile.ReadWords(path)
	if err != nil {
		return fmt.Errorf("%w; unlearnlab evaluate %s --schema prints the columns of such a file", err, r.paper)
	}
	f := &scoreFile{scoreReader: r, ScoreTable: table, path: path, frame: frame, first: 2}
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		f.first = 1
	}
	if err := f.check(); err != nil {
		return err
	}
	for row := range frame.Rows() {
		if err := f.row(row); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of the columns that the file must have.
func (f *scoreFile) names() (names []string) {
	if f.only < 0 {
		names = append(names, f.noun())
	}
	if f.Parts != nil {
		names = append(names, f.PartColumn)
	}
	if f.Case != "" {
		names = append(names, f.Case)
	}
	for _, field := range f.columns() {
		names = append(names, field.Name)
	}
	return names
}

// cellError returns an error that names a cell of the file.
func (f *scoreFile) cellError(row int, column, format string, arguments ...any) error {
	unit := "line"
	if f.first == 1 {
		unit = "row"
	}
	return fmt.Errorf("read %s, %s %d, column %q: %s", f.path, unit, row+f.first, column,
		fmt.Sprintf(format, arguments...))
}

// check checks the names of the columns.
func (f *scoreFile) check() error {
	want := f.names()
	var has []string
	for _, column := range f.frame.Columns {
		has = append(has, column.Name)
	}
	for _, name := range want {
		if !slices.Contains(has, name) {
			return fmt.Errorf("read %s, line 1: the column %q is missing; unlearnlab evaluate %s --schema describes it",
				f.path, name, f.paper)
		}
	}
	for i, name := range has {
		switch {
		case slices.Contains(has[:i], name):
			return fmt.Errorf("read %s, line 1: two columns are named %q; remove one", f.path, name)
		case f.only >= 0 && name == f.noun():
			return fmt.Errorf("read %s, line 1: there is a column %q; leave out --world, or the column", f.path, name)
		case !slices.Contains(want, name):
			hint := "remove it"
			if near := spelling.Nearest(name, want); near != "" {
				hint = fmt.Sprintf("remove it, or call it %q if that is meant", near)
			}
			return fmt.Errorf("read %s, line 1: no column is named %q; %s", f.path, name, hint)
		}
	}
	return nil
}

// text returns the text of a cell.
func (f *scoreFile) text(row int, column string) string { return f.frame.Column(column).Texts[row] }

// part returns the part that a row belongs to.
func (f *scoreFile) part(row int) (p guest.Part, err error) {
	p.Repetition = f.only
	if noun := f.noun(); f.only < 0 {
		text := f.text(row, noun)
		last := f.Host.Repetitions - 1
		if p.Repetition, err = strconv.Atoi(text); err != nil || p.Repetition < 0 || p.Repetition > last {
			return p, f.cellError(row, noun, "%.40q is no %s of the preset; give a number from 0 to %d", text, noun, last)
		}
	}
	if f.Parts != nil {
		if p.Of = f.text(row, f.PartColumn); !slices.Contains(f.Parts, p.Of) {
			return p, f.cellError(row, f.PartColumn, "%.60q is no %s of the study; give one of %s", p.Of, f.PartColumn,
				strings.Join(f.Parts, ", "))
		}
	}
	return p, nil
}

// source returns the source that a row belongs to.
func (f *scoreFile) source(row int, p guest.Part) (ScoreSource, error) {
	sources := f.Sources(p)
	if len(sources) == 0 {
		return ScoreSource{}, fmt.Errorf("read %s: the preset has no such scores; remove the file", f.path)
	}
	if f.Case == "" {
		return sources[0], nil
	}
	var cases []string
	for _, source := range sources {
		if source.Case == f.text(row, f.Case) {
			return source, nil
		}
		cases = append(cases, source.Case)
	}
	return ScoreSource{}, f.cellError(row, f.Case, "the study has no %.60q; give one of %s", f.text(row, f.Case),
		strings.Join(cases, ", "))
}

// rowsOf returns the rows that are like a source. At the first call for a source, it reads the source's examples.
func (f *scoreFile) rowsOf(p guest.Part, source ScoreSource) (*sourceRows, error) {
	of := scoresOf{p, f.ScoreTable, source.Case}
	if rows, known := f.rows[of]; known {
		return rows, nil
	}
	frame, err := f.examples(source)
	if err != nil {
		return nil, err
	}
	rows := &sourceRows{file: f, examples: frame, at: map[string]int{}, rows: make([]int, frame.Rows())}
	for row := range rows.rows {
		rows.rows[row] = -1
		text := func(column string) string { return textOf(frame.Column(column), row) }
		if _, taken := rows.at[f.key(text, plain)]; !taken {
			rows.at[f.key(text, plain)] = row
		}
		rows.at[f.key(text, exact)] = row
	}
	f.rows[of] = rows
	if !slices.Contains(f.parts, p) {
		f.parts = append(f.parts, p)
	}
	return rows, nil
}

// examples reads the file of a source.
func (r *scoreReader) examples(source ScoreSource) (*safefile.Frame, error) {
	artifact, err := r.store.Get(source.Run.Key())
	if err == nil {
		var frame *safefile.Frame
		if frame, err = artifact.ReadTable(source.File); err == nil {
			return frame, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", source.Run.Title, err)
}

// key returns the text that identifies an example, with each part in a form.
func (f *scoreFile) key(of func(column string) string, form func(text string) string) string {
	var texts []string
	for _, name := range f.Keys {
		texts = append(texts, form(of(name)))
	}
	return strings.Join(texts, "\x00")
}

// exact returns the text itself.
func exact(text string) string { return text }

// plain returns the shortest form of a number, and other texts as they are. Programs that read and write tables change
// 0 to 0.0.
func plain(text string) string {
	if value, err := scoreOf(text); err == nil && !math.IsNaN(value) {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return text
}

// textOf returns a cell as text. Equal numbers give equal texts.
func textOf(c *safefile.Column, row int) string {
	if c.Texts != nil {
		return c.Texts[row]
	}
	return strconv.FormatFloat(c.Values[row], 'g', -1, 64)
}

// row checks a row of the file and assigns it to its example.
func (f *scoreFile) row(row int) error {
	part, err := f.part(row)
	if err != nil {
		return err
	}
	source, err := f.source(row, part)
	if err != nil {
		return err
	}
	rows, err := f.rowsOf(part, source)
	if err != nil {
		return err
	}
	at, err := f.example(row, part, rows)
	if err != nil {
		return err
	}
	rows.rows[at] = row
	for _, field := range f.columns() {
		bound := f.Bounds[field.Name]
		switch {
		case slices.Contains(f.Keys, field.Name) || field.Words && bound.Free:
			continue
		case field.Words:
			if want := rows.examples.Column(field.Name).Texts[at]; f.text(row, field.Name) != want {
				return f.cellError(row, field.Name, "%.60q should be %.60q, as in the exported data", f.text(row, field.Name),
					want)
			}
		default:
			if bound.Last != nil {
				bound.Hi = bound.Last(part)
			}
			if most := rows.examples.Column(bound.Most); most != nil {
				bound.Hi = most.Values[at]
			}
			if err := f.value(row, field.Name, bound, rows.examples.Column(field.Name).Values[at]); err != nil {
				return err
			}
		}
	}
	return nil
}

// example returns the example that a row belongs to.
func (f *scoreFile) example(row int, part guest.Part, rows *sourceRows) (at int, err error) {
	for _, name := range f.Keys {
		if _, err := scoreOf(f.text(row, name)); err != nil && rows.examples.Column(name).Texts == nil {
			return 0, f.cellError(row, name, "%.40q is not a number; give the number that the exported data have",
				f.text(row, name))
		}
	}
	text := func(column string) string { return f.text(row, column) }
	id := f.Keys[0]
	at, known := rows.at[f.key(text, exact)]
	if !known {
		at, known = rows.at[f.key(text, plain)]
	}
	if !known {
		if err := f.wrongKey(row, rows.examples); err != nil {
			return 0, err
		}
		if err := f.misplaced(part); err != nil {
			return 0, err
		}
		return 0, f.cellError(row, id, "%.60q%s is not among the %s of %s; score exactly the rows of the exported data",
			f.text(row, id), f.others(row), f.Examples, f.title(part))
	}
	if before := rows.rows[at]; before >= 0 {
		return 0, f.cellError(row, id, "%.60q%s is already in line %d; give each of the %s once", f.text(row, id),
			f.others(row), before+f.first, f.Examples)
	}
	return at, nil
}

// misplaced returns a [Misfit] if all rows that the file gives for a part are examples of another part.
func (f *scoreFile) misplaced(given guest.Part) error {
	var keys []string
	for row := range f.frame.Rows() {
		if p, err := f.part(row); err == nil && p == given {
			keys = append(keys, f.key(func(column string) string { return f.text(row, column) }, plain))
		}
	}
	for _, other := range f.otherParts(given) {
		has := map[string]bool{}
		for _, source := range f.Sources(other) {
			examples, err := f.examples(source)
			if err != nil {
				return nil // the other part cannot be compared
			}
			for row := range examples.Rows() {
				has[f.key(func(column string) string { return textOf(examples.Column(column), row) }, plain)] = true
			}
		}
		if !slices.ContainsFunc(keys, func(key string) bool { return !has[key] }) {
			return NewMisfit(f.path, f.title(given), f.title(other), "its rows are the "+f.Examples+" of that part")
		}
	}
	return nil
}

// wrongKey returns an error if a key after the first is a text that no example has, such as a split of other data.
func (f *scoreFile) wrongKey(row int, examples *safefile.Frame) error {
	for _, name := range f.Keys[1:] {
		texts := slices.Clone(examples.Column(name).Texts)
		slices.Sort(texts)
		if texts = slices.Compact(texts); len(texts) > 0 && !slices.Contains(texts, f.text(row, name)) {
			return f.cellError(row, name, "%.60q is no %s of the %s; give one of %s", f.text(row, name), name, f.Examples,
				strings.Join(texts, ", "))
		}
	}
	return nil
}

// others describes the keys of a row except the first, for messages.
func (f *scoreFile) others(row int) string {
	var texts []string
	for _, name := range f.Keys[1:] {
		texts = append(texts, fmt.Sprintf("%s %.40s", name, f.text(row, name)))
	}
	if len(texts) == 0 {
		return ""
	}
	return " with " + strings.Join(texts, ", ")
}

// title names a part in messages.
func (r *scoreReader) title(p guest.Part) string { return r.Scores[0].partTitle(p) }

// partTitle names a part in messages and in titles of runs.
func (t *ScoreTable) partTitle(p guest.Part) string {
	title := fmt.Sprintf("%s %d", t.Repetitions.Singular, p.Repetition)
	if p.Of != "" {
		title += ", " + p.Of
	}
	return title
}

// value checks a score. like is another model's score for the same example.
func (f *scoreFile) value(row int, column string, bound Bound, like float64) error {
	text := f.text(row, column)
	value, err := scoreOf(text)
	switch {
	case text == unfilled:
		return f.cellError(row, column, "the template's ? is not filled in; give the score")
	case err != nil:
		return f.cellError(row, column, "%.40q is not a number; give a number, or nothing for a row without this score", text)
	case math.IsInf(value, 0):
		return f.cellError(row, column, "%s is not finite; the model has diverged, so evaluate an earlier checkpoint", text)
	case math.IsNaN(value) && !math.IsNaN(like) && !bound.Empty:
		return f.cellError(row, column, "the score is missing; every model has it for this row")
	case !math.IsNaN(value) && math.IsNaN(like):
		return f.cellError(row, column, "%s is given, but no model has this score for this row; leave the cell empty", text)
	case math.IsNaN(value) || bound.Lo == 0 && bound.Hi == 0:
		return nil
	case value < bound.Lo || value > bound.Hi || bound.Whole && value != math.Trunc(value):
		whole := "number"
		if bound.Whole {
			whole = "whole number"
		}
		return f.cellError(row, column, "%s is no %s%s", text, whole, bound.limits())
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
