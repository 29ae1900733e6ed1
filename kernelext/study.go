package kernelext

import "github.com/unlearnlab/unlearnlab/unlearnkit/report"

// Results are what a study has found. Those of the packages below bench are; the interface is here so that a cell
// without a study links none of what studies need.
type Results interface {
	Table(name string, certified bool) (*report.Table, error)
}

// Reader reads what a study has found, and shows what holds of it and where it is from. A *bench.Study is one.
type Reader[R Results] interface {
	Open(folder, preset string) (R, error)
	ClaimsTable(found R) *report.Table
	TraceTables(found R, table, row, column string) ([]*report.Table, error)
}

// Found is what a study has found, to be shown by name as the command shows it.
type Found[R Results] struct {
	Results R
	study   Reader[R]
}

// Study reads what a study has found, at the preset and in the home of [Lab]; it computes nothing:
//
//	found := kx.Study(salmu.Study)
//	found.Certified("5")
//
// What is missing ends the cell with a box that says what makes it.
func Study[R Results](s Reader[R]) Found[R] {
	lab := Lab()
	return Found[R]{Must(s.Open(lab.Home.Value, lab.Preset.Value)), s}
}

// Table shows a table of the paper, or one that the study has besides.
func (f Found[R]) Table(name string) { Table(Must(f.Results.Table(name, false))) }

// Certified shows a table of the paper with intervals and verdicts.
func (f Found[R]) Certified(name string) { Table(Must(f.Results.Table(name, true))) }

// Trace shows where a cell is from, as unlearnlab trace does: its runs, their files, what opens the rows, and the first
// of these. A row and a column are named as the table has them, in capitals or not:
//
//	found.Trace("5", "DELETE/5x", "GenKnow")
func (f Found[R]) Trace(table, row, column string) {
	for _, t := range Must(f.study.TraceTables(f.Results, table, row, column)) {
		Table(t)
	}
}

// Claims shows what holds of the paper's claims.
func (f Found[R]) Claims() { Table(f.study.ClaimsTable(f.Results)) }

// Drawings draw figures by their names. Those of the packages below plots do.
type Drawings[R Results] interface {
	Picture(name string, found R) (report.Picture, error)
}

// Figure shows one of a paper's figures.
func (f Found[R]) Figure(among Drawings[R], name string) {
	Figure(Must(among.Picture(name, f.Results)))
}
