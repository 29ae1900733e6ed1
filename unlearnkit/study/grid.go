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

// Row holds the scores of a model, or of the target, in every repetition.
type Row struct {
	Name      string
	Levels    []string      // levels of the name, the highest first; nil if it has only one
	Reference bool          // the row is not compared with the target
	Guest     bool          // the row is a guest's, which may lack repetitions
	Scores    []*Evaluation // by repetition
}

// Grid certifies rows in columns.
type Grid struct {
	Repetitions certify.Repetitions
}

// Cells certifies the rows in the columns, row by row. It corrects the p-values over all cells.
func (g Grid) Cells(rows []Row, columns []Column) []certify.Cell {
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

func (g Grid) aim(c Column, rows []Row) aim {
	a := aim{}
	if len(rows) == 0 || c.Target == "" {
		return a
	}
	for _, refs := range c.refs[:len(rows[0].Scores)] {
		a.byRepetition = append(a.byRepetition, c.Metric.Outcomes(refs[c.Target], refs))
	}
	a.outcomes = g.Repeated(c.Metric, a.byRepetition)
	return a
}

// Outcomes returns the outcomes of a row in a column by repetition. It counts the repetitions in which the model
// diverged and leaves their outcomes empty.
func (g Grid) Outcomes(row Row, c Column) (all [][]Outcome, lost int) {
	all = make([][]Outcome, len(row.Scores))
	for repetition, scores := range row.Scores {
		if scores.Lost() {
			lost++
			continue
		}
		all[repetition] = c.Metric.Outcomes(scores, c.refs[repetition])
	}
	return all, lost
}

// Repeated converts outcomes by repetition to certify.Outcomes.
func (g Grid) Repeated(m Metric, byRepetition [][]Outcome) certify.Outcomes {
	samples := make([]certify.Sample, len(byRepetition))
	for i, outcomes := range byRepetition {
		samples[i] = certify.Sample{Values: make([]float64, len(outcomes)), Units: make([]int, len(outcomes))}
		for k, o := range outcomes {
			samples[i].Values[k], samples[i].Units[k] = o.Value, o.Unit
		}
	}
	repeated := certify.Repeated(g.Repetitions, m.Family, samples)
	switch {
	case m.Share:
		return repeated.Share()
	case m.Percent:
		return repeated.Percent()
	}
	return repeated
}

func (g Grid) cell(row Row, c Column, a aim) certify.Cell {
	values, lost := g.Outcomes(row, c)
	var cell certify.Cell
	switch repeated := g.Repeated(c.Metric, values); {
	case c.defined(row):
		cell = certify.Defined(repeated)
	case c.Target == "":
		cell = certify.Alone(repeated)
	default:
		cell = certify.Certify(repeated, a.outcomes, c.within)
		if c.falls {
			cell.Verdict = cell.Verdict.Reverse()
		}
	}
	cell.Row, cell.Levels, cell.Column, cell.From = row.Name, row.Levels, c.Name, RunsOf(c.readBy(row)...)
	cell.Reference, cell.Guest = row.Reference, row.Guest
	if row.Reference {
		nan := math.NaN()
		cell.P, cell.DifferenceP, cell.TOSTP, cell.PBasis = nan, nan, nan, certify.Basis{Test: c.Test.Name}
		cell.Verdict = ""
	} else if c.Test.P != nil {
		cell.P, cell.PBasis = c.Test.of(values, a.byRepetition)
	}
	if lost > 0 && !row.Guest {
		cell.Warning = fmt.Sprintf("diverged in %d of %s", lost, g.Repetitions.Count(len(row.Scores)))
	}
	return cell
}

// defined reports whether a row's score in a column is known by definition in all repetitions.
func (c Column) defined(row Row) bool {
	for repetition, e := range row.Scores {
		if _, is := c.fixed(e, c.refs[repetition]); !is && (e.Lost() || !e.Exact) {
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
func (g Grid) Against(rows []Row, columns []Column, with func(row int) int) (all []certify.Comparison) {
	for i, row := range rows {
		other := with(i)
		if other < 0 || other == i {
			continue
		}
		for _, c := range columns {
			own, _ := g.Outcomes(row, c)
			its, _ := g.Outcomes(rows[other], c)
			comparison := certify.Compare(g.Repeated(c.Metric, own), g.Repeated(c.Metric, its))
			comparison.Row, comparison.Levels, comparison.Column = row.Name, row.Levels, c.Name
			comparison.Against, comparison.AgainstLevels = rows[other].Name, rows[other].Levels
			comparison.Guest = row.Guest
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
func (g Grid) Readings(row Row, c Column) (all []Reading) {
	type rows struct {
		key  store.Key
		file string
		own  bool
	}
	if c.OneNumber() {
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
		if !own {
			reading.Rows = c.Selection(c.refs[reading.Repetition])
		}
		all = append(all, reading)
	}
	return all
}

// readBy returns the readings of a row's cells. If the score is no single number, readings of the row, of the target
// and of the margin's references do not have their rows yet.
func (c Column) readBy(row Row) (all []Reading) {
	for repetition, e := range row.Scores {
		switch {
		case c.OneNumber():
			all = append(all, c.readings(e, c.refs[repetition])...)
		case e != nil && e.Run != nil:
			all = append(all, e.Reading)
		}
	}
	if !c.OneNumber() {
		all = append(all, c.compared(c.refs)...)
	}
	return all
}

// RowOf returns the row of a model with one evaluation per repetition. The row's name has levels, the highest first.
func RowOf(levels []string, reference bool, evaluations ...*Evaluation) Row {
	return Row{Name: strings.Join(levels, "/"), Levels: levels, Reference: reference, Scores: evaluations}
}
