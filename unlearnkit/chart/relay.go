package chart

import (
	"fmt"
)

// Relay shows which runner does which steps of a process. It has a square for each step and a row for each way to share
// the steps.
type Relay struct {
	Title   string     `json:"title"`
	Caption string     `json:"caption,omitempty"`
	From    string     `json:"from,omitempty"`  // text above the first step
	To      string     `json:"to,omitempty"`    // text above the last step
	Runners []string   `json:"runners"`         // names of the runners, in running order
	Roles   []Role     `json:"roles,omitempty"` // role of each runner; may be nil
	Rows    []RelayRow `json:"rows"`
}

// RelayRow is one way to share the steps among the runners.
type RelayRow struct {
	Name  string `json:"name"`
	Steps []int  `json:"steps"` // number of steps per runner; all rows have the same total
	Note  string `json:"note,omitempty"`
}

func (p RelayRow) Total() (n int) {
	for _, steps := range p.Steps {
		n += steps
	}
	return n
}

func (p Relay) check() error {
	if err := firstError(filled("relay", len(p.Rows)), filled("relay: runners", len(p.Runners)),
		optional("relay", "roles", len(p.Runners), len(p.Roles))); err != nil {
		return err
	}
	for _, row := range p.Rows {
		where := fmt.Sprintf("relay: %q", row.Name)
		if err := matching(where, "numbers of steps", len(p.Runners), len(row.Steps)); err != nil {
			return err
		}
		for i, steps := range row.Steps {
			if steps < 0 {
				return fmt.Errorf("%s: %d steps by %s; give 0 or more", where, steps, p.Runners[i])
			}
		}
		if all := p.Rows[0].Total(); row.Total() != all || all == 0 {
			return fmt.Errorf("%s: %d steps, the first row has %d; share the same steps in all", where, row.Total(), all)
		}
	}
	return nil
}

// Figure returns the schematic as a figure. Its height depends on the number of rows.
func (p Relay) Figure() (*Figure, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	f := newFigure("Schematic", p.Title, p.Caption, p, p)
	f.Width, f.Height = 7, 1.3+.27*float64(len(p.Rows))
	return f, nil
}
