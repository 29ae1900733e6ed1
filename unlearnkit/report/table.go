// Package report formats tables as text, Markdown, HTML, LaTeX, CSV and JSON.
package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Better selects which values of a column are better.
type Better uint8

const (
	Unranked Better = iota // no value is better
	Higher                 // the largest value is best
	Lower                  // the smallest value is best
	Nearest                // the value nearest to Column.Target is best, such as the score of a retrained model
)

// Mark is the rank of a cell in its column, if it is the best or second best.
type Mark uint8

const (
	Plain  Mark = iota
	Best        // printed in bold
	Second      // printed underlined
)

// Table is a grid of cells with a title. Row names may have several levels, and so may column names, whose levels are
// joined by "/". Equal adjacent upper levels are printed once.
type Table struct {
	Title   string
	Note    string   // sentences below the table
	Code    string   // text to copy, printed below the table without line breaks
	Corner  string   // heading of the row names, such as "Method"
	Corners []string // headings of the levels of row names, such as "Size" and "Model"; replaces Corner
	Columns []Column
	Rows    []Row
}

// Column describes one column of cells.
type Column struct {
	Name   string
	Better Better
	Target float64 // target value, for Nearest
	// Targets holds a separate target for each group of rows, for Nearest. It may be nil.
	Targets map[string]float64
	Words   bool // the column contains words and is aligned left
}

// Row is one row of cells. [Named] makes a row whose name has several levels.
type Row struct {
	Name      string
	Levels    []string // levels of the name, the upper first; nil if it has only one
	Group     string   // group of the row; rows are ranked within their group
	Reference bool     // the row is the original, the gold model or a target, and is not ranked
	Guest     bool     // the row is a user's model
	Cells     []Cell
}

// Named returns a row whose name has the given levels, the upper first.
func Named(levels ...string) Row { return Row{Name: strings.Join(levels, "/"), Levels: levels} }

// With returns the row with additional cells.
func (r Row) With(cells ...Cell) Row {
	r.Cells = append(r.Cells, cells...)
	return r
}

// Levels returns the levels of a row's name: the given levels or, if they are nil, the name itself.
func Levels(name string, levels []string) []string {
	if levels == nil {
		return []string{name}
	}
	return levels
}

// Heads returns the headings of the levels of row names.
func (t *Table) Heads() []string {
	if t.Corners == nil {
		return []string{t.Corner}
	}
	return t.Corners
}

// Cell is a value to print. Text is the printed form, with line breaks for pages. Value ranks the cell; it is NaN for
// words.
type Cell struct {
	Text      string
	Value     float64
	Mark      Mark
	Unit      string     // what the value counts, if the column's name does not state it
	Range     *Range     // interval of the value; nil if the cell has none
	Agreement *Agreement // repetitions that agree in the value's sign; nil if the text does not count them
	Judged    *Judged    // certification; nil if the cell is not certified
}

// Agreement counts the repetitions that agree, of all that were repeated.
type Agreement struct{ Agree, Repeated int }

// Range is the interval of a value.
type Range struct{ Lo, Hi float64 }

// line returns the text without line breaks.
func (c Cell) line() string { return strings.ReplaceAll(c.Text, "\n", " ") }

// Word returns a cell with words, which is not ranked.
func Word(text string) Cell { return Cell{Text: text, Value: math.NaN()} }

// Number returns a cell with a text, and the value by which the cell is ranked.
func Number(text string, value float64) Cell { return Cell{Text: text, Value: value} }

// Interval returns a cell with a value and its interval, formatted with format. If the value is NaN, the cell contains
// a dash. If the interval is NaN, it is left out.
func Interval(format string, value, lo, hi float64) Cell {
	switch {
	case math.IsNaN(value):
		return Word(missing)
	case math.IsNaN(lo):
		return Number(fmt.Sprintf(format, value), value)
	}
	return Cell{Text: fmt.Sprintf(format+"\n["+format+", "+format+"]", value, lo, hi), Value: value, Range: &Range{lo, hi}}
}

// Rank marks the best and the second-best value in every ranked column, separately for every group of rows. Equal
// values get the same mark. The value after a shared best value is second best, as in the papers.
func (t *Table) Rank() {
	groups := map[string][]Row{}
	for _, row := range t.Rows {
		groups[row.Group] = append(groups[row.Group], row)
	}
	for i, column := range t.Columns {
		if column.Better == Unranked {
			continue
		}
		for _, rows := range groups {
			markColumn(rows, i, column)
		}
	}
}

// markColumn marks the best and second-best cells of column i among rows of one group. Distances to a target count as
// equal if they differ by less than a billionth, because they are differences of decimal fractions.
func markColumn(rows []Row, i int, column Column) {
	best, second := math.Inf(1), math.Inf(1)
	competing := 0
	for _, row := range rows {
		if !math.IsInf(row.distance(i, column), 1) {
			competing++
		}
		switch d := row.distance(i, column); {
		case d < best-1e-9:
			best, second = d, best
		case d > best+1e-9 && d < second:
			second = d
		}
	}
	if competing < 2 {
		return // a value without competitors is not marked
	}
	for _, row := range rows {
		switch d := row.distance(i, column); {
		case math.IsInf(d, 1):
		case d <= best+1e-9:
			row.Cells[i].Mark = Best
		case d <= second+1e-9:
			row.Cells[i].Mark = Second
		}
	}
}

// distance returns how far a row's cell is from the best possible value, or +Inf if the row does not compete.
func (r Row) distance(i int, column Column) float64 {
	if r.Reference || i >= len(r.Cells) || math.IsNaN(r.Cells[i].Value) {
		return math.Inf(1)
	}
	switch value := r.Cells[i].Value; column.Better {
	case Higher:
		return -value
	case Lower:
		return value
	default:
		if target, own := column.Targets[r.Group]; own {
			return math.Abs(value - target)
		}
		return math.Abs(value - column.Target)
	}
}

// levels splits all names into the same number of levels. Missing upper levels are empty.
func levels(names []string) [][]string {
	depth := 1
	for _, name := range names {
		depth = max(depth, strings.Count(name, "/")+1)
	}
	split := make([][]string, len(names))
	for i, name := range names {
		parts := strings.Split(name, "/")
		split[i] = append(make([]string, depth-len(parts)), parts...)
	}
	return split
}

// span is a run of equal adjacent names in one level of the header.
type span struct {
	text  string
	width int
}

// header returns the spans of every level, the top level first.
func (t *Table) header() [][]span {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = column.Name
	}
	split := levels(names)
	if len(split) == 0 {
		return [][]span{{}}
	}
	rows := make([][]span, len(split[0]))
	for level := range rows {
		for i, parts := range split {
			spans := rows[level]
			joins := i > 0 && level < len(rows)-1 &&
				strings.Join(split[i-1][:level+1], "/") == strings.Join(parts[:level+1], "/")
			if joins {
				spans[len(spans)-1].width++
			} else {
				rows[level] = append(spans, span{parts[level], 1})
			}
		}
	}
	return rows
}

// labels returns the headings of the row names, and every row's name split into that many levels. An upper level is
// empty if it equals the row above.
func (t *Table) labels() (corner []string, rows [][]string) {
	corner = t.Heads()
	depth := len(corner)
	var above []string
	for _, row := range t.Rows {
		parts := make([]string, depth)
		copy(parts, Levels(row.Name, row.Levels))
		if more := Levels(row.Name, row.Levels); len(more) > depth {
			parts[depth-1] = strings.Join(more[depth-1:], "/")
		}
		shown := slices.Clone(parts)
		for level := 0; level < depth-1 && above != nil && above[level] == parts[level]; level++ {
			shown[level] = ""
		}
		rows, above = append(rows, shown), parts
	}
	return corner, rows
}
