package salmu

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// TrajectoryPoint is the cell of a method after some passes.
type TrajectoryPoint struct {
	Passes int
	certify.Cell
}

// Trajectory holds one method's values in a column of Table 5, at all its budgets. All budgets belong to one run.
type Trajectory struct {
	Method, Column string
	Guest          bool    // an imported model; it has one point, whose number of passes is unknown
	Start          float64 // value of the Compromised model, from which all methods start
	Target         float64
	Points         []TrajectoryPoint
}

// trajectories returns the trajectories of all methods in some columns of Table 5.
func (r *Results) trajectories(columns ...string) []Trajectory {
	cells, err := r.Cells("5")
	if err != nil {
		panic(err)
	}
	cell := func(row, column string) certify.Cell {
		return cells[slices.IndexFunc(cells, func(c certify.Cell) bool { return c.Row == row && c.Column == column })]
	}
	var all []Trajectory
	for _, name := range columns {
		start := r.mean(r.Preset.column(name), named(compromised)...)
		for _, m := range r.Preset.Methods {
			if m.Once {
				continue
			}
			t := Trajectory{Method: m.Title, Column: name, Start: start, Target: cell(targetRow, name).Estimate}
			for _, budget := range m.Budgets {
				t.Points = append(t.Points, TrajectoryPoint{budget, cell(rowName(m, budget), name)})
			}
			all = append(all, t)
		}
		for _, row := range r.set.Guests {
			all = append(all, Trajectory{Method: row.Name, Column: name, Guest: true, Start: start,
				Target: cell(targetRow, name).Estimate, Points: []TrajectoryPoint{{0, cell(row.Name, name)}}})
		}
	}
	return all
}
