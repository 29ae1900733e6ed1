package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// sheet draws Sheet.
type sheet struct{ chart.Sheet }

func (p sheet) draw(c draw.Canvas, s theme.Style) {
	names := vg.Length(0)
	if len(p.Rows) > 0 {
		names = rowNamesWidth(p.Rows, s, c.Size().X*.16)
	}
	top := c.Max.Y
	if len(p.Columns) > 0 {
		c.Max.Y -= columnNamesHeight(s)
	}
	c.Min.X += names
	size := p.Picture.Bounds().Size()
	scale := min(c.Size().X/vg.Length(size.X), c.Size().Y/vg.Length(size.Y))
	place := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Max.Y - scale*vg.Length(size.Y)},
		Max: vg.Point{X: c.Min.X + scale*vg.Length(size.X), Y: c.Max.Y}}
	c.DrawImage(place, onPage(p.Picture, s.Background))
	style := s.Tick()
	style.YAlign, style.XAlign = draw.YTop, draw.XCenter
	columns := cells{place, 1, max(1, len(p.Columns))}
	for i, name := range p.Columns {
		c.FillText(style, vg.Point{X: center(columns.at(0, i)).X, Y: top}, name)
	}
	style.XAlign = draw.XRight
	if p.Axis != "" {
		c.FillText(style, vg.Point{X: place.Min.X - s.Em*.4, Y: top}, p.Axis)
	}
	parts := cells{place, max(1, len(p.Rows)), max(1, len(p.Columns))}
	box := s.Line(p.Role.Series(0))
	box.Width *= 1.5
	for _, at := range p.Boxed {
		c.StrokeLines(box, outlineOf(parts.at(at.Y, at.X)))
	}
	rows := cells{place, max(1, len(p.Rows)), 1}
	for i, name := range p.Rows {
		drawRowName(c, s, name, center(rows.at(i, 0)).Y, place.Min.X, names)
	}
}

// outlineOf returns the line around a rectangle.
func outlineOf(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
}

func (p sheet) legend() []entry { return nil }
