package plots

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type flow struct{ chart.Flow }

// Dimensions of a flow chart, in multiples of the height of a letter unless stated otherwise.
const (
	flowWidth   = 7.  // inches
	flowAside   = 2.2 // gap between the boxes of a row
	flowBelow   = 2.2 // gap between rows
	flowPadding = .7
	flowLine    = 1.3 // height of a line of text
	flowNote    = .4  // gap above a note
	flowTitle   = 2.4 // height of the title with the space below it
)

// boxWidth returns the width of a box if all boxes of a row share the given room.
func (p flow) boxWidth(s theme.Style, room vg.Length) vg.Length {
	return (room+s.Em*flowAside)/vg.Length(p.columns(s, room)) - s.Em*flowAside
}

// columns returns the number of boxes per row: as planned, or fewer if the boxes would be too narrow for words.
func (p flow) columns(s theme.Style, room vg.Length) int {
	const least = 8 // width of a box in letters' heights
	return max(1, min(p.Columns, int((room+s.Em*flowAside)/(s.Em*(least+flowAside)))))
}

// heights returns the heights of the rows: each row has the height of its fullest box.
func (p flow) heights(s theme.Style, room vg.Length) []vg.Length {
	columns := p.columns(s, room)
	heights := make([]vg.Length, (len(p.Steps)+columns-1)/columns)
	for i, step := range p.Steps {
		height := 2 * s.Em * flowPadding
		for _, part := range parts(step, s, p.boxWidth(s, room)) {
			height += s.Em * (part.above + flowLine*vg.Length(len(part.lines)))
		}
		heights[i/columns] = max(heights[i/columns], height)
	}
	return heights
}

// boxes returns the rectangles of the steps.
func (p flow) boxes(s theme.Style, area vg.Rectangle) (boxes []vg.Rectangle) {
	width, top, columns := p.boxWidth(s, area.Size().X), area.Max.Y, p.columns(s, area.Size().X)
	for row, height := range p.heights(s, area.Size().X) {
		for column := range min(columns, len(p.Steps)-row*columns) {
			left := area.Min.X + vg.Length(column)*(width+s.Em*flowAside)
			boxes = append(boxes, vg.Rectangle{Min: vg.Point{X: left, Y: top - height},
				Max: vg.Point{X: left + width, Y: top}})
		}
		top -= height + s.Em*flowBelow
	}
	return boxes
}

// flowPart is the name or a note in a box, broken into lines.
type flowPart struct {
	lines []string
	style text.Style
	above vg.Length // gap above the lines, in letters' heights
}

func parts(p chart.FlowStep, s theme.Style, width vg.Length) []flowPart {
	room := width - 2*s.Em*flowPadding
	parts := []flowPart{{wrap(p.Name, s.Heading(), room), s.Heading(), 0}}
	for _, note := range p.Notes {
		parts = append(parts, flowPart{wrap(note, s.Note(), room), s.Note(), flowNote})
	}
	return parts
}

func (p flow) draw(c draw.Canvas, s theme.Style) {
	boxes := p.boxes(s, c.Rectangle)
	for i, step := range p.Steps {
		box := boxes[i]
		c.SetColor(s.Region)
		c.Fill(box.Path())
		c.StrokeLines(s.Rule(), []vg.Point{box.Min, {X: box.Min.X, Y: box.Max.Y}, box.Max,
			{X: box.Max.X, Y: box.Min.Y}, box.Min})
		at := vg.Point{X: box.Min.X + s.Em*flowPadding, Y: box.Max.Y - s.Em*(flowPadding+flowLine/2)}
		for _, part := range parts(step, s, box.Size().X) {
			at.Y -= s.Em * part.above
			for _, line := range part.lines {
				write(c, part.style, at, line)
				at.Y -= s.Em * flowLine
			}
		}
		if i > 0 {
			drawArrow(c, s, way(boxes[i-1], box, s, i%p.columns(s, c.Size().X) == 0))
		}
	}
}

// way returns the line of an arrow: to the right, or from below the end of a row around to the start of the next one.
func way(from, to vg.Rectangle, s theme.Style, down bool) []vg.Point {
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
	direction = direction.Scale(1 / max(direction.X, -direction.X, direction.Y, -direction.Y)) // -1 or 1 along one axis
	foot := tip.Sub(direction.Scale(s.Em * .6))
	across := vg.Point{X: -direction.Y, Y: direction.X}.Scale(s.Em * .32)
	line := s.Rule()
	line.Color, line.Width = s.Muted, s.Em*.14
	c.StrokeLines(line, append(way[:len(way)-1:len(way)-1], foot))
	c.FillPolygon(s.Muted, []vg.Point{foot.Add(across), tip, foot.Sub(across)})
}

func (p flow) legend() []entry { return nil }

func (p flow) size() (width, height float64) {
	s := theme.Light.At(inches(flowWidth))
	heights := p.heights(s, inches(flowWidth)-2*margin(s))
	total := s.Em*(flowTitle+flowBelow*vg.Length(len(heights)-1)) + 2*margin(s)
	for _, row := range heights {
		total += row
	}
	return flowWidth, float64(total / vg.Inch)
}
