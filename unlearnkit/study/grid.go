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

// Row holds the scores of one model, or of the target model, in every repetition.
type Row struct {
	Name      string
	Levels    []string      // parts of the name, such as method and budget; nil for a plain name
	Reference bool          // the row is a reference and is not tested against the target
	Guest     bool          // the row is a user's model, which may lack repetitions
	Scores    []*Evaluation // evaluation in each repetition
	Labels    []Label       // labels of the model; nil for a row that was not selected by labels
}

// Grid certifies the cells of a table whose rows are models and whose columns are metrics.
type Grid struct {
	Repetitions certify.Repetitions
}

// Cells tests each row in each column, row by row, and corrects the p-values over all cells.
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

// Outcomes returns, for each repetition, a row's outcomes in a column. lost counts the repetitions in which the model
// diverged; their outcomes are empty.
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

// Repeated converts the outcomes of each repetition to certify.Outcomes.
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

// of applies the paper's own test to the examples of all repetitions together, as papers do.
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
		Units: []certify.Unit{{Name: "examples", N: len(tested), Layout: "assumed independent"}}}
	return t.P(tested, against), basis
}

// Against compares rows with other rows, column by column. The function with returns the index of the row that a row is
// compared with, or a negative number for no comparison. P-values are corrected over all comparisons.
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

// NoRow returns the error for a comparison with an unknown row.
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

// Print fills in the values that the paper prints for the cells, from one table of the paper. The function named
// returns a row's name in the paper.
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

// Readings returns what the cell of a row and a column is computed from, without duplicates.
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
			reading.Rows = c.Selection(c.refsOf(reading.Repetition))
		}
		all = append(all, reading)
	}
	return all
}

// refsOf returns the reference models of a repetition. If some repetitions are missing, its number is not its index.
func (c Column) refsOf(repetition int) References {
	for _, refs := range c.refs {
		for _, e := range refs {
			if e != nil && e.Run != nil && e.Repetition == repetition {
				return refs
			}
		}
	}
	return c.refs[repetition]
}

// readBy returns the readings of a row's cell in the column, over all repetitions. Unless the score is one number, the
// readings of the row's model, of the target and of the margin's references have no rows selected yet.
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

// RowOf returns the row of a model with one evaluation per repetition. levels are the parts of the row's name.
func RowOf(levels []string, reference bool, evaluations ...*Evaluation) Row {
	return Row{Name: strings.Join(levels, "/"), Levels: levels, Reference: reference, Scores: evaluations}
}
