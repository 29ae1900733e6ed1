package kernelext

import "github.com/unlearnlab/unlearnlab/unlearnkit/report"

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
