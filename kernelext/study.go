package kernelext

import (
	"errors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Results are what a study has found. Those of the packages below bench are; the interface is here so that a cell
// without a study links none of what studies need.
type Results interface {
	Table(name string, certified bool) (*report.Table, error)
	ClaimsTable() *report.Table
}

// Found is what a study has found, to be shown by name as the command shows it.
type Found[R Results] struct{ Results R }

// Study reads what a study has found, at the preset and in the home of [Lab]; it computes nothing:
//
//	found := kx.Study(salmu.Study)
//	found.Certified("5")
//
// What is missing ends the cell with a box that says what makes it.
func Study[R Results](s interface {
	Open(folder, preset string) (R, error)
}) Found[R] {
	lab := Lab()
	return Found[R]{Must(s.Open(lab.Home.Value, lab.Preset.Value))}
}

// Table shows a table of the paper, or one that the study has besides.
func (f Found[R]) Table(name string) { Table(Must(f.Results.Table(name, false))) }

// Certified shows a table of the paper with intervals and verdicts.
func (f Found[R]) Certified(name string) { Table(Must(f.Results.Table(name, true))) }

// tracer says where its cells are from. Results of the packages below bench do.
type tracer interface {
	TraceTables(table, row, column string) ([]*report.Table, error)
}

// Trace shows where a cell is from, as unlearnlab trace does: its runs, their files, what opens the rows, and the first
// of these. A row and a column are named as the table has them, in capitals or not:
//
//	found.Trace("5", "DELETE/5x", "GenKnow")
func (f Found[R]) Trace(table, row, column string) {
	traced, can := any(f.Results).(tracer)
	if !can {
		fail(errors.New("trace: these results do not say what their cells are computed from"))
		return
	}
	for _, t := range Must(traced.TraceTables(table, row, column)) {
		Table(t)
	}
}

// Claims shows what holds of the paper's claims.
func (f Found[R]) Claims() { Table(f.Results.ClaimsTable()) }

// Drawings draw figures by their names. Those of the packages below plots do.
type Drawings[R Results] interface {
	Picture(name string, found R) (report.Picture, error)
}

// Figure shows one of a paper's figures.
func (f Found[R]) Figure(among Drawings[R], name string) {
	Figure(Must(among.Picture(name, f.Results)))
}
