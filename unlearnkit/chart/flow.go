package chart

import (
	"fmt"
)

// Flow is a diagram of the steps of a process. The boxes are arranged from left to right and row by row, with an arrow
// from each box to the next.
type Flow struct {
	Title   string     `json:"title"`
	Caption string     `json:"caption,omitempty"`
	Columns int        `json:"columns"` // number of boxes per row
	Steps   []FlowStep `json:"steps"`
}

// FlowStep is one box of a [Flow].
type FlowStep struct {
	Name  string   `json:"name"`
	Notes []string `json:"notes,omitempty"` // lines of text below the name
}

// Figure returns the diagram as a figure. Its height depends on the box with the most text.
func (p Flow) Figure() (*Figure, error) {
	if err := filled("flow", len(p.Steps)); err != nil {
		return nil, err
	}
	if p.Columns < 1 || p.Columns > len(p.Steps) {
		return nil, fmt.Errorf("flow: %d columns for %d steps; use 1 to %[2]d", p.Columns, len(p.Steps))
	}
	return &Figure{Title: p.Title, Caption: p.Caption, Kind: "Schematic", Chart: p, data: p}, nil
}
