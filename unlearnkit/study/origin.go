package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Tracer is implemented by results that record what their cells are computed from. [TraceCell] uses the record to find
// files and rows.
type Tracer interface {
	Results
	// Origin returns the origin of a cell. It accepts the names of rows and columns that Cells returns.
	Origin(table, row, column string) (*Origin, error)
}

// Origin lists what a cell was computed from.
type Origin struct {
	Study    *Study
	Preset   string
	Store    *store.Store // store that the scores were read from
	How      string       // how the value is computed, such as "mean of right"
	Readings []Reading    // rows that were read; empty for a cell without scores
	// Samples returns the outcomes whose mean is the cell's value. It is nil for a cell without scores.
	Samples func() []Sample
}

// Use is the purpose for which a cell reads scores.
type Use string

// Purposes of reading scores.
const (
	ForValue  Use = "value"
	ForTarget Use = "target"         // to compute the target
	ForMargin Use = "margin"         // to compute the margin around the target
	ForChoice Use = "choice of rows" // to choose the rows of other readings
)

// Reading is the part of a run that a cell reads: some rows of a file.
type Reading struct {
	Run        *Run
	For        Use
	Repetition int    // -1 for a run that all repetitions share
	Budget     int    // training budget; 0 for none
	File       string // name of the file; the run may lack it if its model diverged
	Rows       Selection
}

// RunsOf returns the keys and titles of the runs of readings, without duplicates.
func RunsOf(readings ...Reading) (named []certify.Run) {
	for _, reading := range readings {
		one := certify.Run{Key: string(reading.Run.Key()), Title: reading.Run.Title}
		if !slices.Contains(named, one) {
			named = append(named, one)
		}
	}
	return named
}

// Selection selects rows of a table of scores. A row needs a value in at least one of the columns Values.
type Selection struct {
	By     []string // columns that identify a row, shown to readers
	Values []string // columns that the cell is computed from
	Where  []Condition
}

// Condition keeps rows whose Column is in Words or Numbers. Not inverts it.
type Condition struct {
	Column  string
	Not     bool
	Words   []string
	Numbers []float64
	Chosen  *Choice // source of the words or numbers, if they depend on scores; nil if the study fixes them
}

// Choice determines the set of values that a column has in some rows of a file.
type Choice struct {
	Reading Reading
	Lowest  string // only the rows with the lowest values of this column are used; "" for all rows
	Count   int    // number of chosen rows
}

// Among returns the condition that a column equals one of several words.
func Among[Word ~string](column string, words ...Word) Condition {
	c := Condition{Column: column, Words: []string{}}
	for _, word := range words {
		c.Words = append(c.Words, string(word))
	}
	return c
}

// columns returns the names of the columns that the selection reads.
func (s Selection) columns() (names []string) {
	for _, c := range s.Where {
		names = append(names, c.Column)
	}
	names = slices.Concat(s.By, s.Values, names)
	slices.Sort(names)
	return slices.Compact(names)
}

// of returns the indices of the selected rows. partial reports that rows without a value were left out.
func (s Selection) of(frame *safefile.Frame) (rows []int, partial bool, err error) {
	holds := make([]func(row int) bool, len(s.Where))
	for i, c := range s.Where {
		if holds[i], err = c.of(frame); err != nil {
			return nil, false, err
		}
	}
	var values [][]float64
	for _, name := range s.Values {
		column := frame.Column(name)
		if column == nil {
			return nil, false, fmt.Errorf("read %s: it has no column %q", frame.Path, name)
		}
		values = append(values, column.Values)
	}
	for row := range frame.Rows() {
		if slices.ContainsFunc(holds, func(hold func(row int) bool) bool { return !hold(row) }) {
			continue
		}
		there := func(v []float64) bool { return v == nil || !math.IsNaN(v[row]) }
		if len(values) == 0 || slices.ContainsFunc(values, there) {
			rows = append(rows, row)
		} else {
			partial = true
		}
	}
	return rows, partial, nil
}

// of returns a function that reports whether a row meets the condition.
func (c Condition) of(frame *safefile.Frame) (func(row int) bool, error) {
	if c.Words != nil {
		words, err := frame.Words(c.Column)
		known := map[string]bool{}
		for _, word := range c.Words {
			known[word] = true
		}
		return func(row int) bool { return known[words[row]] != c.Not }, err
	}
	numbers, err := frame.Numbers(c.Column)
	known := map[float64]bool{}
	for _, number := range c.Numbers {
		known[number] = true
	}
	return func(row int) bool { return known[numbers[row]] != c.Not }, err
}

// Sample is one outcome of a cell and the name of its example.
type Sample struct {
	Repetition int
	ID         string // name of the example in the repetition; "" for a score of the whole repetition
	Outcome
}
