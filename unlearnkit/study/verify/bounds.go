package verify

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// boundFactor multiplies the measured bounds on rounding differences, because other processors may differ more than the
// measured ones.
const boundFactor = 10

// fewRows returns how many labels or ranks of a column may change although no change was measured. Rounding moves an
// example across a threshold if its score is close to the threshold.
func fewRows(rows int) float64 { return float64(max(1, min(10, rows/20))) }

// A Measurement states how much rounding changed the numbers in a column when a run was computed again on another
// device or instruction set.
type Measurement struct {
	Stage   string
	Method  string // unlearning method; "" if the stage has none
	Device  string // device, for messages: "go", "xla:cpu SSE4_2"
	File    string // file name, with # for digits
	Column  string
	Whole   bool    // the numbers are labels, counts or ranks, and only Share is meaningful
	Share   float64 // share of the rows that differ
	Largest float64 // Largest and Mean as in [Difference]
	Mean    float64
}

var fields = []string{"stage", "method", "device", "file", "column", "whole", "share", "largest", "mean"}

// Names of measurements of a run's tables, in addition to its files: the share of cells that change, the largest change
// divided by half the width of the cell's interval, and the share of verdicts that change.
const (
	Tables   = "tables"
	Cells    = "cells"
	Verdicts = "verdicts"
)

// Bounds holds measured rounding differences.
type Bounds []Measurement

// Read reads measurements from CSV.
func Read(source io.Reader) (Bounds, error) {
	rows, err := csv.NewReader(source).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read rounding measurements: %w", err)
	}
	var all Bounds
	for i, row := range rows {
		if i == 0 || len(row) != len(fields) {
			continue // skips the heading; the csv package checks that all rows have its length
		}
		m := Measurement{Stage: row[0], Method: row[1], Device: row[2], File: row[3], Column: row[4]}
		var failed [4]error
		m.Whole, failed[0] = strconv.ParseBool(row[5])
		for j, number := range []*float64{&m.Share, &m.Largest, &m.Mean} {
			*number, failed[j+1] = strconv.ParseFloat(row[6+j], 64)
		}
		if err := errors.Join(failed[:]...); err != nil {
			return nil, fmt.Errorf("read rounding measurements: row %d: %w", i+1, err)
		}
		all = append(all, m)
	}
	if len(rows) == 0 || len(rows[0]) != len(fields) {
		return nil, fmt.Errorf("read rounding measurements: the columns are not %v", fields)
	}
	return all, nil
}

// Must works like [Read], for data embedded in the program. It panics on errors.
func Must(source io.Reader) Bounds {
	b, err := Read(source)
	if err != nil {
		panic(err)
	}
	return b
}

// Write writes the measurements as CSV.
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

// pattern replaces the digits in a file name by #, so that the files of all budgets match.
func pattern(file string) string { return digits.ReplaceAllString(file, "#") }

// largest returns the largest measured change of a column, or false if the column never changed. It uses the
// measurements of the method or, if none exist, of the stage.
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

// knows reports whether anything was measured for a stage.
func (b Bounds) knows(stage string) bool {
	for _, m := range b {
		if m.Stage == stage {
			return true
		}
	}
	return false
}

// refuse explains why rounding cannot have caused a difference. It returns "" if rounding can.
func (b Bounds) refuse(stage, method string, d Difference) string {
	most, known := b.largest(stage, method, d.File, d.Column)
	switch {
	case !known && !(d.Whole && b.knows(stage)):
		return "which rounding was never seen to touch"
	case d.Whole && float64(d.Moved) > max(fewRows(d.Rows), boundFactor*most.Share*float64(d.Rows)):
		return fmt.Sprintf("one of %d that differ, more than rounding changes", d.Moved)
	case !d.Whole && (d.Largest > boundFactor*most.Largest || d.Mean > boundFactor*most.Mean):
		return "differ by more than rounding explains"
	}
	return ""
}
