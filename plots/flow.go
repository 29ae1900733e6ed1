package plots

import (
	"fmt"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Flow is a diagram of the steps of a process: boxes from left to right and row by row, with an arrow from each to the
// next.
type Flow struct {
	Title   string     `json:"title"`
	Caption string     `json:"caption,omitempty"`
	Columns int        `json:"columns"` // boxes beside each other
	Steps   []FlowStep `json:"steps"`
}

// FlowStep is a box.
type FlowStep struct {
	Name  string   `json:"name"`
	Notes []string `json:"notes,omitempty"` // below the name, each in lines of its own
}

// The measures of a flow in letters' heights.
const (
	flowWidth   = 7.  // inches
	flowAside   = 2.2 // between boxes beside each other
	flowBelow   = 2.2 // between rows
	flowPadding = .7
	flowLine    = 1.3 // of text
	flowNote    = .4  // above a note
)

// Figure returns the diagram as a figure, as high as its fullest box needs.
func (p Flow) Figure() (*Figure, error) {
	if err := filled("flow", len(p.Steps)); err != nil {
		return nil, err
	}
	if p.Columns < 1 || p.Columns > len(p.Steps) {
		return nil, fmt.Errorf("flow: %d columns for %d steps; use 1 to %[2]d", p.Columns, len(p.Steps))
	}
	f := newFigure("Schematic", p.Title, p.Caption, p)
	s := f.theme.At(inches(flowWidth))
	grid := p.boxes(vg.Rectangle{Max: vg.Point{X: inches(flowWidth) - 2*margin(s)}}, s)
	tallest := vg.Length(0)
	for _, step := range p.Steps {
		height := vg.Length(0)
		for _, part := range step.parts(s, grid) {
			height += part.above + flowLine*vg.Length(len(part.lines))
		}
		tallest = max(tallest, height)
	}
	height := s.Em*(tallest+2*flowPadding+flowBelow)*vg.Length(p.rows()) + s.Em*.6 + 2*margin(s)
	f.Width, f.Height = flowWidth, float64(height/vg.Inch)
	f.body = p.draw
	return f, nil
}

func (p Flow) rows() int { return (len(p.Steps) + p.Columns - 1) / p.Columns }

// boxes are the cells of an area, with the gaps behind and below them.
func (p Flow) boxes(area vg.Rectangle, s theme.Style) cells {
	area.Max.X += s.Em * flowAside
	area.Min.Y -= s.Em * flowBelow
	return cells{area, p.rows(), p.Columns}
}

// box is that of a step, without the gaps.
func (p Flow) box(grid cells, s theme.Style, step int) vg.Rectangle {
	box := grid.at(step/p.Columns, step%p.Columns)
	box.Max.X -= s.Em * flowAside
	box.Min.Y += s.Em * flowBelow
	return box
}

// flowPart is the name or a note in a box, as broken as its width needs.
type flowPart struct {
	lines []string
	style text.Style
	above vg.Length // in letters' heights
}

func (p FlowStep) parts(s theme.Style, grid cells) []flowPart {
	room := grid.at(0, 0).Size().X - s.Em*(flowAside+2*flowPadding)
	parts := []flowPart{{wrap(p.Name, s.Heading(), room), s.Heading(), 0}}
	for _, note := range p.Notes {
		parts = append(parts, flowPart{wrap(note, s.Note(), room), s.Note(), flowNote})
	}
	return parts
}

func (p Flow) draw(c draw.Canvas, s theme.Style) {
	grid := p.boxes(c.Rectangle, s)
	for i, step := range p.Steps {
		box := p.box(grid, s, i)
		c.SetColor(s.Region)
		c.Fill(box.Path())
		c.StrokeLines(s.Rule(), []vg.Point{box.Min, {X: box.Min.X, Y: box.Max.Y}, box.Max,
			{X: box.Max.X, Y: box.Min.Y}, box.Min})
		at := vg.Point{X: box.Min.X + s.Em*flowPadding, Y: box.Max.Y - s.Em*(flowPadding+flowLine/2)}
		for _, part := range step.parts(s, grid) {
			at.Y -= s.Em * part.above
			for _, line := range part.lines {
				write(c, part.style, at, line)
				at.Y -= s.Em * flowLine
			}
		}
		if i > 0 {
			drawArrow(c, s, p.way(p.box(grid, s, i-1), box, s, i%p.Columns == 0))
		}
	}
}

// way is the line of an arrow: to the right, or from below the end of a row round to the start of the next.
func (p Flow) way(from, to vg.Rectangle, s theme.Style, down bool) []vg.Point {
	room := s.Em * .25
	if !down {
		return []vg.Point{{X: from.Max.X + room, Y: center(from).Y}, {X: to.Min.X - room, Y: center(to).Y}}
	}
	middle := from.Min.Y - s.Em*flowBelow/2
	return []vg.Point{{X: center(from).X, Y: from.Min.Y - room}, {X: center(from).X, Y: middle},
		{X: center(to).X, Y: middle}, {X: center(to).X, Y: to.Max.Y + room}}
}

// drawArrow draws a line with a head at its end.
func drawArrow(c draw.Canvas, s theme.Style, way []vg.Point) {
	tip, before := way[len(way)-1], way[len(way)-2]
	direction := tip.Sub(before)
	direction = direction.Scale(1 / max(direction.X, -direction.X, direction.Y, -direction.Y)) // it is level or upright
	foot := tip.Sub(direction.Scale(s.Em * .6))
	across := vg.Point{X: -direction.Y, Y: direction.X}.Scale(s.Em * .32)
	line := s.Rule()
	line.Color, line.Width = s.Muted, s.Em*.14
	c.StrokeLines(line, append(way[:len(way)-1:len(way)-1], foot))
	c.FillPolygon(s.Muted, []vg.Point{foot.Add(across), tip, foot.Sub(across)})
}
