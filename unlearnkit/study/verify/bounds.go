package verify

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// Factor is how much further than in any measurement rounding may bring numbers, because a third processor rounds in
// ways of its own.
const Factor = 10

// few is how many labels or ranks of a column may change where fewer did, or none: a label is one side of a line, and
// rounding takes an example across that lies on it.
func few(rows int) float64 { return float64(max(1, min(10, rows/20))) }

// A Measurement is how far rounding has moved the numbers of a column in a run that was made again on another device or
// instruction set.
type Measurement struct {
	Stage   string
	Method  string // "" where the stage has none
	Device  string // for people: "go", "xla:cpu SSE4_2"
	File    string // digits are written #
	Column  string
	Whole   bool    // labels, counts and ranks, of which only Share means something
	Share   float64 // of the rows that differ
	Largest float64 // both as in [Difference]
	Mean    float64
}

var fields = []string{"stage", "method", "device", "file", "column", "whole", "share", "largest", "mean"}

// What was measured of the tables that a run is read by stands beside what was measured of its files: the share of
// cells that move, and the largest move as a share of half the cell's interval; and how many verdicts change.
const (
	Tables   = "tables"
	Cells    = "cells"
	Verdicts = "verdicts"
)

// Bounds are what rounding is known to do.
type Bounds []Measurement

// Read reads measurements from CSV.
func Read(source io.Reader) (Bounds, error) {
	rows, err := csv.NewReader(source).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read what rounding does: %w", err)
	}
	var all Bounds
	for i, row := range rows {
		if i == 0 || len(row) != len(fields) {
			continue // the heading; the csv package holds the others to its length
		}
		m := Measurement{Stage: row[0], Method: row[1], Device: row[2], File: row[3], Column: row[4]}
		var failed [4]error
		m.Whole, failed[0] = strconv.ParseBool(row[5])
		for j, number := range []*float64{&m.Share, &m.Largest, &m.Mean} {
			*number, failed[j+1] = strconv.ParseFloat(row[6+j], 64)
		}
		if err := errors.Join(failed[:]...); err != nil {
			return nil, fmt.Errorf("read what rounding does: row %d: %w", i+1, err)
		}
		all = append(all, m)
	}
	if len(rows) == 0 || len(rows[0]) != len(fields) {
		return nil, fmt.Errorf("read what rounding does: the columns are not %v", fields)
	}
	return all, nil
}

// Must is [Read] of what the program itself carries.
func Must(source io.Reader) Bounds {
	b, err := Read(source)
	if err != nil {
		panic(err)
	}
	return b
}

// Write writes measurements as CSV.
func (b Bounds) Write(target io.Writer) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	w := csv.NewWriter(target)
	rows := [][]string{fields}
	for _, m := range b {
		rows = append(rows, []string{m.Stage, m.Method, m.Device, m.File, m.Column, strconv.FormatBool(m.Whole),
			number(m.Share), number(m.Largest), number(m.Mean)})
	}
	return w.WriteAll(rows)
}

var digits = regexp.MustCompile(`[0-9]+`)

// pattern is what files of one kind have for a name: those of all budgets.
func pattern(file string) string { return digits.ReplaceAllString(file, "#") }

// largest is the most that was measured of a column; false if it never moved. What was not measured of a method is what
// was measured of the stage.
func (b Bounds) largest(stage, method, file, column string) (most Measurement, known bool) {
	ofMethod := false
	for _, m := range b {
		ofMethod = ofMethod || m.Stage == stage && m.Method == method
	}
	for _, m := range b {
		if m.Stage != stage || m.File != pattern(file) || m.Column != column {
			continue
		}
		if !known {
			known, most = true, Measurement{Stage: stage, File: m.File, Column: column, Whole: m.Whole}
		}
		if ofMethod && m.Method != method {
			continue
		}
		most.Share, most.Largest, most.Mean = max(most.Share, m.Share), max(most.Largest, m.Largest),
			max(most.Mean, m.Mean)
	}
	return most, known
}

// knows tells whether anything was measured of a stage.
func (b Bounds) knows(stage string) bool {
	for _, m := range b {
		if m.Stage == stage {
			return true
		}
	}
	return false
}

// refuse says why rounding does not explain a difference, "" if it does.
func (b Bounds) refuse(stage, method string, d Difference) string {
	most, known := b.largest(stage, method, d.File, d.Column)
	switch {
	case !known && !(d.Whole && b.knows(stage)):
		return "which rounding was never seen to touch"
	case d.Whole && float64(d.Moved) > max(few(d.Rows), Factor*most.Share*float64(d.Rows)):
		return fmt.Sprintf("one of %d that differ, more than rounding changes", d.Moved)
	case !d.Whole && (d.Largest > Factor*most.Largest || d.Mean > Factor*most.Mean):
		return "further apart than rounding brings them"
	}
	return ""
}
