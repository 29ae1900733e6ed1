package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Tracer is results that say what their cells were computed from. [TraceCell] goes on from there to files and rows.
type Tracer interface {
	Results
	// Origin is that of a cell, by its names in Cells.
	Origin(table, row, column string) (*Origin, error)
}

// Origin is what a cell was computed from.
type Origin struct {
	Study    *Study
	Preset   string
	Store    *store.Store // that the scores were read from
	How      string       // the value comes of what is read: "mean of right"
	Readings []Reading    // none of a cell without scores
}

// Use is what a cell has of scores.
type Use string

// Uses of scores.
const (
	ForValue  Use = "value"
	ForTarget Use = "target"         // that the value should come back to
	ForMargin Use = "margin"         // within which it counts as the target's
	ForChoice Use = "choice of rows" // that the others are read in
)

// Reading is what a cell reads of a run: some rows of a file.
type Reading struct {
	Run        *Run
	For        Use
	Repetition int    // -1 of what was made once
	Budget     int    // 0 of none
	File       string // of the run's; it may be missing where the run diverged
	Rows       Selection
}

// RunsOf names the runs of readings, each once.
func RunsOf(readings ...Reading) (named []certify.Run) {
	for _, reading := range readings {
		one := certify.Run{Key: string(reading.Run.Key()), Title: reading.Run.Title}
		if !slices.Contains(named, one) {
			named = append(named, one)
		}
	}
	return named
}

// Selection is some rows of a table of scores. Rows without a value in any of the columns have no part.
type Selection struct {
	By     []string // columns that tell the rows apart, for who looks at them
	Values []string // columns that a cell is computed from
	Where  []Condition
}

// Condition is that a column has one of some words or numbers, or with Not none of them.
type Condition struct {
	Column  string
	Not     bool
	Words   []string
	Numbers []float64
	Chosen  *Choice // of which the words or numbers came, where they did not stand in the study
}

// Choice is what a column has in some rows of a file.
type Choice struct {
	Reading Reading
	Lowest  string // the column by which the lowest of the rows were chosen; "" of all rows
	Count   int    // how many they were
}

// Among is the condition that a column has one of some words.
func Among[Word ~string](column string, words ...Word) Condition {
	c := Condition{Column: column}
	for _, word := range words {
		c.Words = append(c.Words, string(word))
	}
	return c
}

// columns are those that have to be read.
func (s Selection) columns() (names []string) {
	for _, c := range s.Where {
		names = append(names, c.Column)
	}
	names = slices.Concat(s.By, s.Values, names)
	slices.Sort(names)
	return slices.Compact(names)
}

// of are the places of the selected rows. Partial says that rows were left out which have no value.
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

// of tells of each row whether the condition holds there.
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
