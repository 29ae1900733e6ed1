package salmu

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// row is a row of a table: one model in every world.
type row = study.Row

// references returns the models of a world that columns compare with.
func (w WorldScores) references() study.References {
	return study.References{clean: w.Clean, compromised: w.Compromised, independent: w.Independent}
}

// references returns the models that columns compare with, by world.
func (r *Results) references() (all []study.References) {
	for _, w := range r.Worlds {
		all = append(all, w.references())
	}
	return all
}

// certify returns the cells of rows and columns.
func (r *Results) certify(rows []row, metrics []study.Metric) []certify.Cell {
	return table.Cells(rows, study.Columns(metrics, r.references()))
}

// These functions return a base model of a world.
func cleanOf(w WorldScores) *study.Evaluation       { return w.Clean }
func compromisedOf(w WorldScores) *study.Evaluation { return w.Compromised }

// base returns the row of the base model called model. The row's title is name.
func (r *Results) base(name string, reference bool, model string) row {
	return r.row(name, reference, func(w WorldScores) *study.Evaluation { return w.references()[model] })
}

// row returns the row of one model. of returns the model's evaluation in a world.
func (r *Results) row(name string, reference bool, of func(w WorldScores) *study.Evaluation) row {
	return rowOf(r.Worlds, []string{name}, reference, of)
}

// rowOf returns the row of one model in some worlds.
func rowOf(worlds []WorldScores, levels []string, reference bool, of func(w WorldScores) *study.Evaluation) row {
	var evaluations []*study.Evaluation
	for _, w := range worlds {
		evaluations = append(evaluations, of(w))
	}
	return study.RowOf(levels, reference, evaluations...)
}

// methodRows returns the rows of methods, one for each budget.
func (r *Results) methodRows(methods []Method, of func(w WorldScores) []Budgets) (rows []row) {
	for i, m := range methods {
		for _, budget := range m.Budgets {
			rows = append(rows, rowOf(r.Worlds, rowLevels(m, budget), false, func(w WorldScores) *study.Evaluation {
				return of(w)[i][budget]
			}))
		}
	}
	return rows
}

// methodsOf returns the methods of Table 5 in a world.
func methodsOf(w WorldScores) []Budgets { return w.Methods }

// rowLevels returns the levels of the name of a row: the method and, if the method has several, the budget.
func rowLevels(m Method, budget int) []string {
	if m.Once {
		return []string{m.Title}
	}
	return []string{m.Title, fmt.Sprintf("%dx", budget)}
}

// rowName returns the name of a row as Table 5 prints it.
func rowName(m Method, budget int) string { return strings.Join(rowLevels(m, budget), "/") }

// at returns the panel's name of a method at a budget.
func at(method string, budget int) string { return fmt.Sprintf("%s %dx", method, budget) }
