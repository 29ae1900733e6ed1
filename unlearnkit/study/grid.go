package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Outcome is the value of one example in a column.
type Outcome struct {
	Unit   int     // unit of the column's family; a negative unit is independent of all others
	Value  float64 // value that enters the mean
	Tested float64 // value that the paper's own test compares
}

// Test is a paper's own test of a model's values against the target's values, example by example.
type Test struct {
	Name string
	P    func(values, targets []float64) float64
}

// Column is a score of models. M is the type of one model's raw scores.
type Column[M any] struct {
	Name     string
	Family   certify.Family
	Share    bool                                     // outcomes are from 0 to 1
	Percent  bool                                     // outcomes are from 0 to 100
	Outcomes func(scores M, repetition int) []Outcome // outcomes of the examples that count
	// Defined reports whether the score is known by definition and has no uncertainty. It may be nil.
	Defined func(scores M, repetition int) bool
	// Target returns the target of the score. If it is nil, the column has no target and no verdict.
	Target func(repetition int) M
	Margin float64 // largest distance from the target that counts as matched; 0 for none
	Test   Test    // the paper's own test; the zero value for none
	// From lists the readings of the targets and of the margin's references. Rows selects rows in all files, except in
	// readings that have their own rows.
	From []Reading
	Rows func(repetition int) Selection
	// Reads returns all readings of a repetition. If it is set, it replaces From, Rows and the readings of the row.
	Reads func(scores M, repetition int) []Reading
}

// Row holds the scores of a model, or of the target, in every repetition.
type Row[M any] struct {
	Name      string
	Levels    []string // levels of the name, the highest first; nil if it has only one
	Reference bool     // the row is not compared with the target
	Scores    []M      // by repetition
	From      []Reading
}

// NewRow returns a row whose name has levels, the highest first.
func NewRow[M any](levels ...string) Row[M] {
	return Row[M]{Name: strings.Join(levels, "/"), Levels: levels}
}

// Grid certifies rows in columns.
type Grid[M any] struct {
	Repetitions certify.Repetitions
	Lost        func(scores M) bool // reports whether a model diverged and has no scores
}

// Cells certifies the rows in the columns, row by row. It corrects the p-values over all cells.
func (g Grid[M]) Cells(rows []Row[M], columns []Column[M]) []certify.Cell {
	targets := make([]aim, len(columns))
	for i, c := range columns {
		targets[i] = g.aim(c, rows)
	}
	var cells []certify.Cell
	for _, row := range rows {
		for i, c := range columns {
			cells = append(cells, g.cell(row, c, targets[i]))
		}
	}
	certify.Adjust(cells)
	return cells
}

// aim holds the target's outcomes in a column.
type aim struct {
	byRepetition [][]Outcome
	outcomes     certify.Outcomes
}

func (g Grid[M]) aim(c Column[M], rows []Row[M]) aim {
	a := aim{}
	if len(rows) == 0 || c.Target == nil {
		return a
	}
	for repetition := range rows[0].Scores {
		a.byRepetition = append(a.byRepetition, c.Outcomes(c.Target(repetition), repetition))
	}
	a.outcomes = g.Repeated(c, a.byRepetition)
	return a
}

// Outcomes returns the outcomes of a row in a column by repetition. It counts the repetitions in which the model
// diverged and leaves their outcomes empty.
func (g Grid[M]) Outcomes(row Row[M], c Column[M]) (all [][]Outcome, lost int) {
	all = make([][]Outcome, len(row.Scores))
	for repetition, scores := range row.Scores {
		if g.Lost(scores) {
			lost++
			continue
		}
		all[repetition] = c.Outcomes(scores, repetition)
	}
	return all, lost
}

// Repeated converts outcomes by repetition to certify.Outcomes.
func (g Grid[M]) Repeated(c Column[M], byRepetition [][]Outcome) certify.Outcomes {
	samples := make([]certify.Sample, len(byRepetition))
	for i, outcomes := range byRepetition {
		samples[i] = certify.Sample{Values: make([]float64, len(outcomes)), Units: make([]int, len(outcomes))}
		for k, o := range outcomes {
			samples[i].Values[k], samples[i].Units[k] = o.Value, o.Unit
		}
	}
	repeated := certify.Repeated(g.Repetitions, c.Family, samples)
	switch {
	case c.Share:
		return repeated.Share()
	case c.Percent:
		return repeated.Percent()
	}
	return repeated
}

func (g Grid[M]) cell(row Row[M], c Column[M], a aim) certify.Cell {
	values, lost := g.Outcomes(row, c)
	var cell certify.Cell
	switch repeated := g.Repeated(c, values); {
	case c.defined(row):
		cell = certify.Defined(repeated)
	case c.Target == nil:
		cell = certify.Alone(repeated)
	default:
		cell = certify.Certify(repeated, a.outcomes, c.Margin)
	}
	cell.Row, cell.Levels, cell.Column, cell.From = row.Name, row.Levels, c.Name, RunsOf(c.readBy(row)...)
	if row.Reference {
		nan := math.NaN()
		cell.P, cell.DifferenceP, cell.TOSTP, cell.PBasis = nan, nan, nan, certify.Basis{Test: c.Test.Name}
		cell.Verdict = ""
	} else if c.Test.P != nil {
		cell.P, cell.PBasis = c.Test.of(values, a.byRepetition)
	}
	if lost > 0 {
		cell.Warning = fmt.Sprintf("diverged in %d of %s", lost, g.Repetitions.Count(len(row.Scores)))
	}
	return cell
}

// defined reports whether a row's score in a column is known by definition in all repetitions.
func (c Column[M]) defined(row Row[M]) bool {
	for repetition, scores := range row.Scores {
		if c.Defined == nil || !c.Defined(scores, repetition) {
			return false
		}
	}
	return true
}

// of tests the examples of all repetitions together, as papers do.
func (t Test) of(values, targets [][]Outcome) (p float64, basis certify.Basis) {
	n := 0
	for _, outcomes := range values {
		n += len(outcomes)
	}
	tested, against := make([]float64, 0, n), make([]float64, 0, n)
	for repetition, outcomes := range values {
		for i := range outcomes {
			tested = append(tested, outcomes[i].Tested)
			against = append(against, targets[repetition][i].Tested)
		}
	}
	basis = certify.Basis{Test: t.Name,
		Units: []certify.Unit{{Name: "examples", N: len(tested), Layout: "taken for independent"}}}
	return t.P(tested, against), basis
}

// Against compares rows with other rows, column by column. The function with returns the index of the row to compare
// with, or a negative number for none. P-values are corrected over all comparisons.
func (g Grid[M]) Against(rows []Row[M], columns []Column[M], with func(row int) int) (all []certify.Comparison) {
	for i, row := range rows {
		other := with(i)
		if other < 0 || other == i {
			continue
		}
		for _, c := range columns {
			own, _ := g.Outcomes(row, c)
			its, _ := g.Outcomes(rows[other], c)
			comparison := certify.Compare(g.Repeated(c, own), g.Repeated(c, its))
			comparison.Row, comparison.Levels, comparison.Column = row.Name, row.Levels, c.Name
			comparison.Against, comparison.AgainstLevels = rows[other].Name, rows[other].Levels
			all = append(all, comparison)
		}
	}
	certify.AdjustComparisons(all)
	return all
}

// NoRow returns the error for an unknown row that others should be compared with.
func NoRow(table, name string, known []string) error {
	var names []string
	for _, row := range known {
		if !slices.Contains(names, row) {
			names = append(names, row)
		}
	}
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("table %s has no row %q to compare others with; do you mean %q?", table, name, near)
	}
	return fmt.Errorf("table %s has no row %q to compare others with; it has %s", table, name,
		strings.Join(names, ", "))
}

// Print sets the printed values of cells from an item of the paper. The function named returns a row's name in the
// paper.
func Print(cells []certify.Cell, paper, item string, named func(row string) string) {
	there, err := papers.Open(paper, item)
	if err != nil {
		panic(err) // the items ship with the program
	}
	known := map[[2]string]string{}
	for _, p := range there {
		known[[2]string{p.Row, p.Column}] = p.Value
	}
	for i, cell := range cells {
		cells[i].Printed = known[[2]string{named(cell.Row), cell.Column}]
	}
}

// Readings returns the readings that the cell of a row and a column is computed from, without duplicates.
func (g Grid[M]) Readings(row Row[M], c Column[M]) (all []Reading) {
	type rows struct {
		key  store.Key
		file string
		own  bool
	}
	if c.Reads != nil {
		return c.readBy(row)
	}
	known := map[rows]bool{}
	for _, reading := range c.readBy(row) {
		own := reading.Rows.Values != nil
		at := rows{reading.Run.Key(), reading.File, own}
		if known[at] {
			continue
		}
		known[at] = true
		if !own && c.Rows != nil {
			reading.Rows = c.Rows(reading.Repetition)
		}
		all = append(all, reading)
	}
	return all
}

// readBy returns the readings of a row's cells. Readings from the row and from c.From do not have the column's rows
// yet.
func (c Column[M]) readBy(row Row[M]) (all []Reading) {
	if c.Reads == nil {
		return slices.Concat(row.From, c.From)
	}
	for repetition, scores := range row.Scores {
		all = append(all, c.Reads(scores, repetition)...)
	}
	return all
}

// Read returns the readings of runs with one run per repetition. The budget is 0 for runs without one.
func Read(use Use, file string, budget int, runs ...*Run) (all []Reading) {
	for repetition, run := range runs {
		if run != nil { // scores from memory have no run
			all = append(all, Reading{Run: run, For: use, Repetition: repetition, Budget: budget, File: file})
		}
	}
	return all
}
