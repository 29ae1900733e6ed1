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

// Outcome is what one example comes to in a column.
type Outcome struct {
	Unit   int     // of the column's family; a negative one stands alone
	Value  float64 // whose mean is the score
	Tested float64 // what the paper's own test looks at
}

// Test is a paper's own test of values against those of the target, example by example.
type Test struct {
	Name string
	P    func(values, targets []float64) float64
}

// Column is a score of models; M is the raw scores of one.
type Column[M any] struct {
	Name     string
	Family   certify.Family
	Share    bool                                     // outcomes lie from 0 to 1
	Percent  bool                                     // outcomes lie from 0 to 100
	Outcomes func(scores M, repetition int) []Outcome // without the examples that have no part in the score
	// Defined tells whether the score is what it is by definition, so that nothing is uncertain; nil where none is.
	Defined func(scores M, repetition int) bool
	// Target is the model that the score should come back to; nil where there is none, and then there is no verdict.
	Target func(repetition int) M
	Margin float64 // within which a score counts as the target's; 0 of none
	Test   Test    // the zero value where the paper has none
	// From is what is read of the targets and of what the margin is measured by; Rows are which rows of all files. A
	// reading with rows of its own keeps them.
	From []Reading
	Rows func(repetition int) Selection
	// Reads, where it is set, are all readings of a repetition, in place of From, Rows and those of the row.
	Reads func(scores M, repetition int) []Reading
}

// Row is a model, or the target, in every repetition.
type Row[M any] struct {
	Name      string
	Levels    []string // of the name, the upper first; nil if it has one
	Reference bool     // it is compared with nothing
	Scores    []M      // by repetition
	From      []Reading
}

// NewRow returns a row whose name has levels, the upper first.
func NewRow[M any](levels ...string) Row[M] {
	return Row[M]{Name: strings.Join(levels, "/"), Levels: levels}
}

// Parts returns the levels of the row's name, the name itself if it has one.
func (r Row[M]) Parts() []string {
	if r.Levels == nil {
		return []string{r.Name}
	}
	return r.Levels
}

// Grid certifies rows in columns.
type Grid[M any] struct {
	Repetitions certify.Repetitions
	Lost        func(scores M) bool // a model that diverged, so that there are none
}

// Cells are certified row by row. The p-values are corrected over all of them.
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

// aim is what a column should come back to.
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

// Outcomes are those of a row in a column by repetition; none of a repetition in which the model was lost.
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

// Repeated are outcomes by repetition as they are certified.
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

// defined tells whether a row has by definition what it has in a column.
func (c Column[M]) defined(row Row[M]) bool {
	for repetition, scores := range row.Scores {
		if c.Defined == nil || !c.Defined(scores, repetition) {
			return false
		}
	}
	return true
}

// of tests the examples of all repetitions at once, as papers do.
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

// Against compares rows with others, column by column; with gives the place of the row that one is compared with, which
// is negative for none. P-values are corrected over all comparisons.
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

// NoRow is the error of a row, to compare others with, that is none of those that there are.
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

// Print fills in what a paper has in the same places; named gives a row's name there.
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

// Readings are what a cell is computed from: a row and a column. What both read is read once.
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

// readBy is what a cell reads, but for which rows where the column says that of all its readings.
func (c Column[M]) readBy(row Row[M]) (all []Reading) {
	if c.Reads == nil {
		return slices.Concat(row.From, c.From)
	}
	for repetition, scores := range row.Scores {
		all = append(all, c.Reads(scores, repetition)...)
	}
	return all
}

// Read are the readings of runs, one a repetition, in the files of a budget, 0 of none.
func Read(use Use, file string, budget int, runs ...*Run) (all []Reading) {
	for repetition, run := range runs {
		if run != nil { // scores that no run made
			all = append(all, Reading{Run: run, For: use, Repetition: repetition, Budget: budget, File: file})
		}
	}
	return all
}
