package kernelext

import "github.com/unlearnlab/unlearnlab/unlearnkit/report"

// Results are the results of a study. The packages of papers implement the interface. It is declared here so that a
// cell without a study links nothing that studies need.
type Results interface {
	Table(name string, certified bool) (*report.Table, error)
}

// Reader opens a study's results and makes tables of its claims and of the origins of cells. A *study.Study implements
// it.
type Reader[R Results] interface {
	Open(folder, preset string) (R, error)
	ClaimsTable(found R) *report.Table
	TraceTables(found R, table, row, column string) ([]*report.Table, error)
}

// Found shows the results of a study by name, as the command does.
type Found[R Results] struct {
	Results R
	study   Reader[R]
}

// Study reads a study's results at the preset and in the home folder of [Lab]. It computes nothing:
//
//	found := kx.Study(salmu.Study)
//	found.Certified("5")
//
// If results are missing, Study ends the cell with a box that says which command computes them.
func Study[R Results](s Reader[R]) Found[R] {
	lab := Lab()
	return Found[R]{Must(s.Open(lab.Home.Value, lab.Preset.Value)), s}
}

// Table shows a table of the paper, or an additional table of the study.
func (f Found[R]) Table(name string) { Table(Must(f.Results.Table(name, false))) }

// Certified shows a table of the paper with intervals and verdicts.
func (f Found[R]) Certified(name string) { Table(Must(f.Results.Table(name, true))) }

// Trace shows the origin of a cell, as unlearnlab trace does: its runs, their files, the code that opens the rows, and
// the first rows. The names of row and column are those in the table, regardless of case:
//
//	found.Trace("5", "DELETE/5x", "GenKnow")
func (f Found[R]) Trace(table, row, column string) {
	for _, t := range Must(f.study.TraceTables(f.Results, table, row, column)) {
		Table(t)
	}
}

// Claims shows the paper's claims with their verdicts.
func (f Found[R]) Claims() { Table(f.study.ClaimsTable(f.Results)) }
