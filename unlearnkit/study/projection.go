package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// A Projection is a table of labelled evaluations: which models are its rows, and which metrics its columns.
type Projection struct {
	Number  string
	Title   string
	Corner  string // heading of the rows' names
	Columns []Metric
	Targets string // name of a first row with the target of each column; "" for none
	Rows    []RowSet
	Guests  bool // guests follow the rows

	Paper   string                  // name of the paper, for its printed values
	Printed func(row string) string // name of a row in the paper
}

// RowSet selects rows of a table by their labels.
type RowSet struct {
	Where     []Label
	Name      string // name of the only row; "" for the names of the entries
	Reference bool   // the rows are not tested against the target
}

// Grid certifies the cells of the set.
func (s *Set) Grid() Grid { return Grid{Repetitions: s.Layout.Repetitions} }

// In returns the rows of a table, without targets and guests.
func (s *Set) In(p Projection) (rows []Row) {
	for _, of := range p.Rows {
		if of.Name != "" {
			rows = append(rows, s.Row([]string{of.Name}, of.Reference, of.Where...))
			continue
		}
		for _, row := range s.Rows(of.Where...) {
			row.Reference = of.Reference
			rows = append(rows, row)
		}
	}
	return rows
}

// guests returns the guests that a table shows.
func (s *Set) guests(p Projection) []Row {
	if !p.Guests {
		return nil
	}
	return s.Guests
}

// target returns the first row of a table for one column, whose scores are those of the column's target.
func (s *Set) target(p Projection, m Metric) Row {
	row := RowOf([]string{p.Targets}, true)
	for _, refs := range s.References() {
		row.Scores = append(row.Scores, refs[m.Target])
	}
	return row
}

// Cells returns the certified cells of a table, row by row. The p-values of a guest are corrected over its own row.
func (s *Set) Cells(p Projection) (cells []certify.Cell) {
	refs := s.References()
	columns := Columns(p.Columns, refs)
	if p.Targets != "" {
		for i, m := range p.Columns {
			cells = append(cells, s.Grid().Cells([]Row{s.target(p, m)}, columns[i:i+1])...)
		}
	}
	cells = append(cells, s.Grid().Cells(s.In(p), columns)...)
	if p.Printed != nil {
		Print(cells, p.Paper, "table"+p.Number, p.Printed)
	}
	for _, row := range s.guests(p) {
		cells = append(cells, s.Grid().Cells([]Row{row}, columns)...)
	}
	return cells
}

// Against compares the other rows of a table with the row called name; see [Grid.AgainstNamed].
func (s *Set) Against(p Projection, name string) (*Comparisons, error) {
	rows, columns := append(s.In(p), s.guests(p)...), Columns(p.Columns, s.References())
	found, err := s.Grid().AgainstNamed(rows, columns, p.Number, name)
	if err == nil {
		found.Corners = []string{p.Corner}
	}
	return found, err
}

// Origin returns the readings and samples of a cell of a table.
func (s *Set) Origin(p Projection, name, column string) (*Origin, error) {
	m := Find(p.Columns, column)
	rows := append(s.In(p), s.guests(p)...)
	if p.Targets != "" {
		rows = append(rows, s.target(p, m))
	}
	at := slices.IndexFunc(rows, func(row Row) bool { return row.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("table %s has no row %q", p.Number, name)
	}
	row, in := rows[at], m.Column(s.References())
	return &Origin{Store: s.store, How: m.How(), Readings: s.Grid().Readings(row, in),
		Samples: func() []Sample { return s.Grid().Samples(row, in) }}, nil
}

// Projections lists the tables of a paper.
type Projections []Projection

// Table returns the table with a number.
func (all Projections) Table(number string) (Projection, error) {
	var numbers []string
	for _, p := range all {
		if p.Number == number {
			return p, nil
		}
		numbers = append(numbers, p.Number)
	}
	return Projection{}, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(numbers, ", "))
}
