package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// row is a line of a table: a model in every world. A world in which the model diverged has no scores of it.
type row = study.Row[Scores]

// table certifies rows.
var table = study.Grid[Scores]{Repetitions: Worlds, Lost: func(s Scores) bool { return s == nil }}

// Shares of what is at stake within which a value counts as that of its target.
const (
	forgetMargin = 0.10 // of the distance between Compromised and Clean
	knowMargin   = 0.03 // of the target: the loss of general knowledge from which damage is called catastrophic
	keepMargin   = 0.10 // of the target
)

// certify gives the cells of rows and columns. target gives the scores that a column should come back to.
func (r *Results) certify(rows []row, columns []Column, target target) []certify.Cell {
	var all []study.Column[Scores]
	for _, c := range columns {
		all = append(all, r.certified(c, target))
	}
	return table.Cells(rows, all)
}

// target is the base model, by its name in [WorldScores], that a column should come back to.
type target func(c Column) (scores func(w WorldScores) Scores, run func(w World) *study.Run)

// certified is a column as it is certified beside its target.
func (r *Results) certified(c Column, target target) study.Column[Scores] {
	scores, run := target(c)
	return study.Column[Scores]{
		Name: c.Name, Family: c.family(), Share: c.Test == mcnemarTest || c.Name == "RetFail",
		Outcomes: func(s Scores, world int) []Outcome { return c.Outcomes(s, r.Worlds[world].Compromised) },
		Target:   func(world int) Scores { return scores(r.Worlds[world]) },
		Margin:   r.margin(c, scores),
		Test:     study.Test{Name: c.Test, P: c.test},
		From:     r.beside(c, run),
		Rows:     func(world int) study.Selection { return r.rows(c, world) },
	}
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
func (r *Results) margin(c Column, target func(w WorldScores) Scores) float64 {
	clean, compromised, aim := 0.0, 0.0, 0.0
	for _, w := range r.Worlds {
		clean += c.Mean(w.Clean, w.Compromised) / float64(len(r.Worlds))
		compromised += c.Mean(w.Compromised, w.Compromised) / float64(len(r.Worlds))
		aim += c.Mean(target(w), w.Compromised) / float64(len(r.Worlds))
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

// Base models of a world.
func cleanOf(w WorldScores) Scores       { return w.Clean }
func compromisedOf(w WorldScores) Scores { return w.Compromised }
func independentOf(w WorldScores) Scores { return w.Independent }

// ownTarget is what the paper holds each column against: Clean for what is to be forgotten, Compromised for what is to
// be kept.
func ownTarget(c Column) (scores func(w WorldScores) Scores, run func(w World) *study.Run) {
	if c.Target == ToClean {
		return cleanTarget(c)
	}
	return compromisedOf, func(w World) *study.Run { return w.Compromised }
}

func cleanTarget(Column) (scores func(w WorldScores) Scores, run func(w World) *study.Run) {
	return cleanOf, func(w World) *study.Run { return w.Clean }
}

// model is the row of one model of every world.
func (r *Results) model(name string, reference bool, scores func(w WorldScores) Scores,
	run func(w World) *study.Run) row {
	model := row{Name: name, Reference: reference, From: r.readings(study.ForValue, 0, run)}
	for _, w := range r.Worlds {
		model.Scores = append(model.Scores, scores(w))
	}
	return model
}

// method is the row of a method after so many passes.
func (r *Results) method(name string, budget int, scores func(w WorldScores) Scores,
	run func(w World) *study.Run) row {
	method := r.model(name, false, scores, run)
	method.From = r.readings(study.ForValue, budget, run)
	return method
}

// methodRows are the rows of methods at their budgets.
func (r *Results) methodRows(methods []Method, of func(w WorldScores) []Budgets,
	runs func(w World) []*study.Run) []row {
	var rows []row
	for i, m := range methods {
		for _, budget := range m.Budgets {
			row := r.method(rowName(m, budget), budget, func(w WorldScores) Scores { return of(w)[i][budget] },
				func(w World) *study.Run { return runs(w)[i] })
			row.Levels = rowLevels(m, budget)
			rows = append(rows, row)
		}
	}
	return rows
}
