package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Relay shows which runner takes which steps of a process: a square for each step, a line for each way to share them.
type Relay struct {
	Title   string       `json:"title"`
	Caption string       `json:"caption,omitempty"`
	From    string       `json:"from,omitempty"`  // above the first step
	To      string       `json:"to,omitempty"`    // above the last step
	Runners []string     `json:"runners"`         // in the order in which they run
	Roles   []theme.Role `json:"roles,omitempty"` // one per runner, or nil
	Rows    []RelayRow   `json:"rows"`
}

// RelayRow is one way to share the steps.
type RelayRow struct {
	Name  string `json:"name"`
	Steps []int  `json:"steps"` // one number per runner; all rows have the same total
	Note  string `json:"note,omitempty"`
}

func (p RelayRow) all() (n int) {
	for _, steps := range p.Steps {
		n += steps
	}
	return n
}

// runner returns the index of the runner of a step.
func (p RelayRow) runner(step int) (runner int) {
	for runner < len(p.Steps)-1 && step >= p.Steps[runner] {
		step -= p.Steps[runner]
		runner++
	}
	return runner
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
		if all := p.Rows[0].all(); row.all() != all || all == 0 {
			return fmt.Errorf("%s: %d steps, the first row has %d; share the same steps in all", where, row.all(), all)
		}
	}
	return nil
}

// Figure returns the schematic as a figure. Its height depends on the number of rows.
func (p Relay) Figure() (*Figure, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	f := newFigure("Schematic", p.Title, p.Caption, p)
	f.Width, f.Height = 7, 1.3+.27*float64(len(p.Rows))
	for i, runner := range p.Runners {
		f.legend = append(f.legend, areaEntry(runner, func(s theme.Style) color.NRGBA { return s.Color(p.look(i)) }))
	}
	f.body = p.draw
	return f, nil
}

// look returns the index of the series whose colour a runner has.
func (p Relay) look(runner int) int {
	if len(p.Roles) == 0 {
		return runner
	}
	return p.Roles[runner].Series(runner)
}

// sideGap is the room between squares and a row's name or note, in letters' heights.
const sideGap = .6

func (p Relay) draw(c draw.Canvas, s theme.Style) {
	label := s.Label()
	left, right := s.Em*5.2, s.Em*9.4
	for _, row := range p.Rows {
		left, right = max(left, label.Width(row.Name)+s.Em*sideGap), max(right, label.Width(row.Note)+s.Em*sideGap)
	}
	above := s.Em * 1.5
	steps := p.Rows[0].all()
	grid := cells{vg.Rectangle{Min: vg.Point{X: c.Min.X + left, Y: c.Min.Y},
		Max: vg.Point{X: c.Max.X - right, Y: c.Max.Y - above}}, len(p.Rows), steps}
	head := s.Note()
	head.YAlign, head.XAlign = draw.YTop, draw.XLeft
	c.FillText(head, vg.Point{X: grid.Min.X, Y: c.Max.Y}, p.From)
	head.XAlign = draw.XRight
	c.FillText(head, vg.Point{X: grid.Max.X, Y: c.Max.Y}, p.To)
	for i, row := range p.Rows {
		for step := range steps {
			box, gap := grid.at(i, step), s.Em*.1
			c.SetColor(s.Color(p.look(row.runner(step))))
			c.Fill(vg.Rectangle{Min: box.Min.Add(vg.Point{X: gap, Y: 2 * gap}),
				Max: box.Max.Sub(vg.Point{X: gap, Y: 2 * gap})}.Path())
		}
		p.drawNames(c, s, label, row, grid, center(grid.at(i, 0)).Y)
	}
}

// drawNames writes a row's name and note on either side of its squares.
func (p Relay) drawNames(c draw.Canvas, s theme.Style, label text.Style, row RelayRow, grid cells, middle vg.Length) {
	label.XAlign = draw.XRight
	write(c, label, vg.Point{X: grid.Min.X - s.Em*sideGap, Y: middle}, row.Name)
	label.XAlign = draw.XLeft
	write(c, label, vg.Point{X: grid.Max.X + s.Em*sideGap, Y: middle}, row.Note)
}
