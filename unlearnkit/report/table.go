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
	Higher                 // the largest is best
	Lower                  // the smallest is best
	Nearest                // the nearest to Column.Target is best, as for scores that should match a retrained model's
)

// Mark is the rank of a cell in its column, if it is marked.
type Mark uint8

const (
	Plain  Mark = iota
	Best        // bold
	Second      // underlined
)

// Table is a titled grid of cells. Row names may have levels, and column names may have levels joined by "/". Equal
// upper levels are written once.
type Table struct {
	Title   string
	Note    string   // a sentence below the table
	Code    string   // printed below the table for copying, without line breaks
	Corner  string   // name of the rows: "Method"
	Corners []string // names of the rows' levels, in place of Corner: "Size", "Model"
	Columns []Column
	Rows    []Row
}

// Column describes one column of cells.
type Column struct {
	Name   string
	Better Better
	Target float64 // for Nearest
	// Targets holds the target of each group of rows for Nearest, if groups have their own.
	Targets map[string]float64
	Words   bool // contains words: aligned left
}

// Row is one line of cells. [Named] makes one whose name has levels.
type Row struct {
	Name      string
	Levels    []string // levels of the name, the upper first; nil if it has one
	Group     string   // rows are ranked within their group
	Reference bool     // the original, the gold model or targets: printed but not ranked
	Guest     bool     // a model trained outside the program
	Cells     []Cell
}

// Named returns a row whose name has levels, the upper first.
func Named(levels ...string) Row { return Row{Name: strings.Join(levels, "/"), Levels: levels} }

// With returns the row with more cells.
func (r Row) With(cells ...Cell) Row {
	r.Cells = append(r.Cells, cells...)
	return r
}

// Levels returns the levels of a row's name: the given levels, or the name itself if there are none.
func Levels(name string, levels []string) []string {
	if levels == nil {
		return []string{name}
	}
	return levels
}

// Heads returns the names of the rows' levels.
func (t *Table) Heads() []string {
	if t.Corners == nil {
		return []string{t.Corner}
	}
	return t.Corners
}

// Cell is a printed value. Text is printed, with line breaks for pages. Value ranks the cell and is NaN for words.
type Cell struct {
	Text   string
	Value  float64
	Mark   Mark
	Unit   string  // what the value counts, if the column does not say so
	Range  *Range  // interval of the value; nil if the cell has none
	Judged *Judged // certification; nil if the cell is not certified
}

// Range is an interval of a value.
type Range struct{ Lo, Hi float64 }

// line returns the text on one line.
func (c Cell) line() string { return strings.ReplaceAll(c.Text, "\n", " ") }

// Word returns a cell that is not a number.
func Word(text string) Cell { return Cell{Text: text, Value: math.NaN()} }

// Number returns a cell with a text and the value that ranks it.
func Number(text string, value float64) Cell { return Cell{Text: text, Value: value} }

// Interval returns a cell with a value and its interval, all in a format. A value that is NaN is printed as a dash, and
// an interval that is NaN is left out.
func Interval(format string, value, lo, hi float64) Cell {
	switch {
	case math.IsNaN(value):
		return Word("–")
	case math.IsNaN(lo):
		return Number(fmt.Sprintf(format, value), value)
	}
	return Cell{Text: fmt.Sprintf(format+"\n["+format+", "+format+"]", value, lo, hi), Value: value, Range: &Range{lo, hi}}
}

// Rank marks the best and the second-best value of every ranked column in every group of rows. Equal values share a
// mark. After a shared best value the next different value is second, as in the papers.
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

// markColumn marks column i of rows that compete. Distances to a target that differ by less than a billionth count as
// equal, because they are differences of decimal fractions.
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
		return // a single value is not best
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

// distance returns the distance of a row's cell from the best possible value, or +Inf if it does not compete.
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

// levels splits names into the same number of levels. Missing upper levels of shorter names are empty.
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

// span is a run of equal names on one level of a header.
type span struct {
	text  string
	width int
}

// header returns the spans of every level, the top one first.
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

// labels returns every row's name in as many levels as the corner has. An upper level equal to the row above is
// empty.
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
