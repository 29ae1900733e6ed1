package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

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
	if len(p.Below) > 0 {
		c.Min.Y += columnNamesHeight(s)
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
	bottom := place.Min.Y - s.Em*.4
	for i, text := range p.Below {
		c.FillText(style, vg.Point{X: center(columns.at(0, i)).X, Y: bottom}, text)
	}
	style.XAlign = draw.XRight
	c.FillText(style, vg.Point{X: place.Min.X - s.Em*.4, Y: top}, p.Axis)
	c.FillText(style, vg.Point{X: place.Min.X - s.Em*.4, Y: bottom}, p.Foot)
	rows := cells{place, max(1, len(p.Rows)), 1}
	for i, name := range p.Rows {
		drawRowName(c, s, name, center(rows.at(i, 0)).Y, place.Min.X, names)
	}
}

func (p sheet) legend() []entry { return nil }
