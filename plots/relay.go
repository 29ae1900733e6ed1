package plots

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type relay struct{ chart.Relay }

// runner returns the index of the runner who takes a step.
func runner(p chart.RelayRow, step int) (runner int) {
	for runner < len(p.Steps)-1 && step >= p.Steps[runner] {
		step -= p.Steps[runner]
		runner++
	}
	return runner
}

// look returns the index of the series whose colour a runner has.
func (p relay) look(runner int) int {
	if len(p.Roles) == 0 {
		return runner
	}
	return p.Roles[runner].Series(runner)
}

// sideGap is the room between squares and a row's name or note, in letters' heights.
const sideGap = .6

func (p relay) draw(c draw.Canvas, s theme.Style) {
	label := s.Label()
	left, right := s.Em*5.2, s.Em*9.4
	for _, row := range p.Rows {
		left, right = max(left, label.Width(row.Name)+s.Em*sideGap), max(right, label.Width(row.Note)+s.Em*sideGap)
	}
	above := s.Em * 1.5
	steps := p.Rows[0].Total()
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
			c.SetColor(s.Color(p.look(runner(row, step))))
			c.Fill(vg.Rectangle{Min: box.Min.Add(vg.Point{X: gap, Y: 2 * gap}),
				Max: box.Max.Sub(vg.Point{X: gap, Y: 2 * gap})}.Path())
		}
		p.drawNames(c, s, label, row, grid, center(grid.at(i, 0)).Y)
	}
}

// drawNames writes a row's name and note on either side of its squares.
func (p relay) drawNames(c draw.Canvas, s theme.Style, label text.Style, row chart.RelayRow, grid cells, middle vg.Length) {
	label.XAlign = draw.XRight
	write(c, label, vg.Point{X: grid.Min.X - s.Em*sideGap, Y: middle}, row.Name)
	label.XAlign = draw.XLeft
	write(c, label, vg.Point{X: grid.Max.X + s.Em*sideGap, Y: middle}, row.Note)
}

func (p relay) legend() (all []entry) {
	for i, runner := range p.Runners {
		all = append(all, areaEntry(runner, func(s theme.Style) color.NRGBA { return s.Color(p.look(i)) }))
	}
	return all
}
