package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Tracer is implemented by results that record what their cells are computed from. [TraceCell] finds the files and
// rows.
type Tracer interface {
	Results
	// Origin returns the origin of a cell. The names are the names in Cells.
	Origin(table, row, column string) (*Origin, error)
}

// Origin lists what a cell was computed from.
type Origin struct {
	Study    *Study
	Preset   string
	Store    *store.Store // store that the scores were read from
	How      string       // how the value is computed: "mean of right"
	Readings []Reading    // empty for a cell without scores
	// Samples returns the outcomes that the cell is the mean of. It is nil for a cell without scores.
	Samples func() []Sample
}

// Use says why a cell reads scores.
type Use string

// Uses of scores.
const (
	ForValue  Use = "value"
	ForTarget Use = "target"         // the target of the value
	ForMargin Use = "margin"         // the margin around the target
	ForChoice Use = "choice of rows" // the choice of the rows of other readings
)

// Reading is the part of a run that a cell reads: some rows of a file.
type Reading struct {
	Run        *Run
	For        Use
	Repetition int    // -1 for a run that all repetitions share
	Budget     int    // 0 for none
	File       string // file of the run; it may be missing if the run diverged
	Rows       Selection
}

// RunsOf names the runs of readings without duplicates.
func RunsOf(readings ...Reading) (named []certify.Run) {
	for _, reading := range readings {
		one := certify.Run{Key: string(reading.Run.Key()), Title: reading.Run.Title}
		if !slices.Contains(named, one) {
			named = append(named, one)
		}
	}
	return named
}

// Selection selects rows of a table of scores. A row counts if it has a value in at least one of the columns Values.
type Selection struct {
	By     []string // columns that identify a row for readers
	Values []string // columns that a cell is computed from
	Where  []Condition
}

// Condition keeps rows whose Column is in Words or Numbers. Not inverts it.
type Condition struct {
	Column  string
	Not     bool
	Words   []string
	Numbers []float64
	Chosen  *Choice // source of the words or numbers; nil if the study names them
}

// Choice is the set of values that a column has in some rows of a file.
type Choice struct {
	Reading Reading
	Lowest  string // column whose lowest values choose the rows; "" for all rows
	Count   int    // number of chosen rows
}

// Among returns the condition that a column has one of several words.
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

// of returns the indices of the selected rows. It reports as partial that rows without a value were left out.
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

// Sample is an outcome of a cell with its name.
type Sample struct {
	Repetition int
	ID         string // example in the repetition; "" for a score of the whole repetition
	Outcome
}
