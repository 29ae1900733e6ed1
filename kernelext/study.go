package kernelext

import "github.com/unlearnlab/unlearnlab/unlearnkit/report"

// Results are the results of a study, implemented by the packages of papers. The interface is declared here so that a
// cell without a study links nothing that studies need.
type Results interface {
	Table(name string, certified bool) (*report.Table, error)
}

// Reader opens a study's results and makes tables of its claims and of the origins of cells. *study.Study implements
// it.
type Reader[R Results] interface {
	Open(folder, preset string) (R, error)
	Reading() []string                            // presets, richest first
	Complete(folder, preset string) (bool, error) // reports whether all results at a preset exist
	IsLack(err error) bool                        // reports whether an error means that a preset has no such table
	ClaimsTable(found R) *report.Table
	TraceTables(found R, table, row, column string) ([]*report.Table, error)
}

// Found shows a study's results by name, as the command does.
type Found[R Results] struct {
	Results R
	Preset  string // preset of Results

	study  Reader[R]
	home   string
	poorer []string // less rich presets for tables that Results lacks
}

// Study opens a study's results in the home folder of [Lab]. It computes nothing:
//
//	found := kx.Study(salmu.Study)
//	found.Certified("5")
//
// It reads the preset that is passed or set in the environment. Without one, it reads the richest preset whose results
// exist locally or shipped, and the next richest for a table that this preset lacks, as the command does.
//
// If results are missing, Study ends the cell with a box that names the command to compute them.
func Study[R Results](s Reader[R], preset ...string) Found[R] {
	lab := Lab()
	f := Found[R]{study: s, home: lab.Home.Value}
	switch {
	case len(preset) > 0:
		f.Preset = preset[0]
	case lab.Preset.From != "default":
		f.Preset = lab.Preset.Value
	default:
		f.poorer = s.Reading()
		f.Preset = lab.Preset.Value
		if size := Must(f.next()); size != "" {
			f.Preset = size
		}
	}
	f.Results = Must(s.Open(f.home, f.Preset))
	return f
}

// next returns the richest complete preset in f.poorer, and removes it and those before it. It returns "" if there is
// none.
func (f *Found[R]) next() (size string, err error) {
	for len(f.poorer) > 0 {
		size, f.poorer = f.poorer[0], f.poorer[1:]
		if complete, err := f.study.Complete(f.home, size); err != nil || complete {
			return size, err
		}
	}
	return "", nil
}

// read calls from with f.Results, and then with less rich results while the preset lacks what from reads.
func read[R Results, T any](f Found[R], from func(R) (T, error)) (T, error) {
	value, lacks := from(f.Results)
	for f.study.IsLack(lacks) {
		size, err := f.next()
		if err != nil {
			return value, err
		}
		if size == "" {
			break
		}
		poorer, err := f.study.Open(f.home, size)
		if err != nil {
			return value, err
		}
		if found, err := from(poorer); !f.study.IsLack(err) {
			return found, err
		}
	}
	return value, lacks
}

// Table shows a table from the paper, or one of the study's additional tables.
func (f Found[R]) Table(name string) { f.show(name, false) }

// Certified shows a table from the paper with intervals and verdicts.
func (f Found[R]) Certified(name string) { f.show(name, true) }

func (f Found[R]) show(name string, certified bool) {
	Table(Must(read(f, func(r R) (*report.Table, error) { return r.Table(name, certified) })))
}

// Trace shows the origin of a cell, as unlearnlab trace does: its runs, their files, code that opens the rows, and the
// first rows. Row and column are named as in the table, regardless of case:
//
//	found.Trace("5", "DELETE/5x", "GenKnow")
func (f Found[R]) Trace(table, row, column string) {
	tables := Must(read(f, func(r R) ([]*report.Table, error) { return f.study.TraceTables(r, table, row, column) }))
	for _, t := range tables {
		Table(t)
	}
}

// Claims shows the paper's claims and their verdicts.
func (f Found[R]) Claims() { Table(f.study.ClaimsTable(f.Results)) }
