package salmu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// row is a line of a table: a model in every world. A world in which the model diverged has no scores of it.
type row struct {
	name      string
	reference bool
	scores    []Scores
}

// Shares of what is at stake within which a value counts as that of its target.
const (
	forgetMargin = 0.10 // of the distance between Compromised and Clean
	knowMargin   = 0.03 // of the target: the loss of general knowledge from which damage is called catastrophic
	keepMargin   = 0.10 // of the target
)

// aim is what a column should come back to.
type aim struct {
	column   Column
	outcomes [][]Outcome // by world
	certify.Outcomes
	margin float64 // within which a value counts as the target's
}

func (r *Results) aim(c Column, target func(c Column, w WorldScores) Scores) aim {
	a := aim{column: c, margin: r.margin(c, target)}
	for _, w := range r.Worlds {
		a.outcomes = append(a.outcomes, c.Outcomes(target(c, w), w.Compromised))
	}
	a.Outcomes = c.repeated(a.outcomes)
	return a
}

// certify gives the cells of rows and columns. target gives the scores that a column should come back to.
func (r *Results) certify(rows []row, columns []Column, target func(c Column, w WorldScores) Scores) []certify.Cell {
	var aims []aim
	for _, c := range columns {
		aims = append(aims, r.aim(c, target))
	}
	var cells []certify.Cell
	for _, row := range rows {
		for _, a := range aims {
			cells = append(cells, r.cell(row, a))
		}
	}
	certify.Adjust(cells)
	return cells
}

func (r *Results) cell(row row, a aim) certify.Cell {
	values := r.outcomes(row, a.column)
	var tested, against []float64
	lost := 0
	for w, outcomes := range values {
		if row.scores[w] == nil {
			lost++
		}
		for i := range outcomes {
			tested, against = append(tested, outcomes[i].Tested), append(against, a.outcomes[w][i].Tested)
		}
	}
	cell := certify.Certify(a.column.repeated(values), a.Outcomes, a.margin)
	cell.Row, cell.Column, cell.P = row.name, a.column.Name, math.NaN()
	cell.PBasis = certify.Basis{Test: a.column.Test}
	if row.reference {
		cell.DifferenceP = math.NaN()
	} else {
		cell.P = a.column.test(tested, against)
		cell.PBasis.Units = []certify.Unit{{Name: "examples", N: len(tested), Layout: "taken for independent"}}
	}
	if lost > 0 {
		cell.Warning = fmt.Sprintf("diverged in %d of %d worlds", lost, len(row.scores))
	}
	return cell
}

// outcomes are those of a row in a column by world; none of a world in which it diverged.
func (r *Results) outcomes(row row, c Column) [][]Outcome {
	all := make([][]Outcome, len(row.scores))
	for w, scores := range row.scores {
		if scores != nil {
			all[w] = c.Outcomes(scores, r.Worlds[w].Compromised)
		}
	}
	return all
}

// repeated are outcomes of a column by world, as they are certified.
func (c Column) repeated(byWorld [][]Outcome) certify.Outcomes {
	samples := make([]certify.Sample, len(byWorld))
	for w, outcomes := range byWorld {
		for _, o := range outcomes {
			samples[w].Values = append(samples[w].Values, o.Value)
			samples[w].Units = append(samples[w].Units, o.Identity)
		}
	}
	repeated := certify.Repeated(Worlds, c.family(), samples)
	if c.Test == mcnemarTest || c.Name == "RetFail" {
		return repeated.Share()
	}
	return repeated
}

// Worlds are what the study repeats.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// family is whose outcomes a column is a mean of. Every world has people of its own, while classes of objects are the
// same in all. Pictures of the people whose cosines are fragile are told apart, the people are not.
func (c Column) family() certify.Family {
	switch c.Name {
	case "GenKnow":
		return certify.Family{Name: "classes", Crossed: true}
	case "FragSim":
		return certify.Family{Name: "pictures"}
	}
	return certify.Family{Name: "people"}
}

// margin is within what a column counts as matched.
func (r *Results) margin(c Column, target func(Column, WorldScores) Scores) float64 {
	clean, compromised, aim := 0.0, 0.0, 0.0
	for _, w := range r.Worlds {
		clean += c.Mean(w.Clean, w.Compromised) / float64(len(r.Worlds))
		compromised += c.Mean(w.Compromised, w.Compromised) / float64(len(r.Worlds))
		aim += c.Mean(target(c, w), w.Compromised) / float64(len(r.Worlds))
	}
	switch {
	case c.Target == ToClean:
		return forgetMargin * math.Abs(compromised-clean)
	case c.Name == "GenKnow":
		return knowMargin * math.Abs(aim)
	default:
		return keepMargin * math.Abs(aim)
	}
}

// test is the paper's test of a column on the examples of all worlds; its p-value.
func (c Column) test(values, targets []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	switch c.Test {
	case wilcoxonTest:
		return stat.Wilcoxon(values, targets).P
	case mcnemarTest:
		return stat.McNemarOutcomes(yes(values), yes(targets)).P
	case ksTest:
		return stat.KS2(values, targets).P
	default:
		return stat.TTestPaired(values, targets).P
	}
}

func yes(values []float64) []bool {
	answers := make([]bool, len(values))
	for i, v := range values {
		answers[i] = v != 0
	}
	return answers
}

// ownTarget is what the paper holds each column against: Clean for what is to be forgotten, Compromised for what is to
// be kept.
func ownTarget(c Column, w WorldScores) Scores {
	if c.Target == ToClean {
		return w.Clean
	}
	return w.Compromised
}

func cleanTarget(_ Column, w WorldScores) Scores { return w.Clean }

// worldsOf collects one model of every world.
func (r *Results) worldsOf(of func(w WorldScores) Scores) []Scores {
	var all []Scores
	for _, w := range r.Worlds {
		all = append(all, of(w))
	}
	return all
}

// methodRows are the rows of methods at their budgets.
func (r *Results) methodRows(methods []Method, of func(w WorldScores) []Budgets,
	name func(m Method, budget int) string) []row {
	var rows []row
	for i, m := range methods {
		for _, budget := range m.Budgets {
			rows = append(rows, row{name(m, budget), false, r.worldsOf(func(w WorldScores) Scores {
				return of(w)[i][budget]
			})})
		}
	}
	return rows
}

// printed fills in what the paper has in the same place.
func printed(cells []certify.Cell, item string, of func(row string) string) {
	cellsOf, err := papers.Open("salmu", item)
	if err != nil {
		panic(err)
	}
	known := map[[2]string]string{}
	for _, p := range cellsOf {
		known[[2]string{p.Row, p.Column}] = p.Value
	}
	for i, cell := range cells {
		cells[i].Printed = known[[2]string{of(cell.Row), cell.Column}]
	}
}
