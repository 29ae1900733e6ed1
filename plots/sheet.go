package plots

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type sheet struct{ chart.Sheet }

func (p sheet) draw(c draw.Canvas, s theme.Style) {
	names, above := p.names(s, c.Size().X)
	c = drawText(c, s.Note(), s.Em*.2, above)
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
		if above == "" {
			drawRowName(c, s, name, center(rows.at(i, 0)).Y, place.Min.X, names)
		}
	}
}

// names returns the room for names left of the picture. The names of rows are broken into lines; if a row is too low for
// the lines of its name, all names are written above the picture instead.
func (p sheet) names(s theme.Style, width vg.Length) (room vg.Length, above string) {
	if len(p.Rows) == 0 {
		return 0, ""
	}
	room = rowNamesWidth(p.Rows, s, width*.16)
	size := p.Picture.Bounds().Size()
	row := (width - room) * vg.Length(size.Y) / vg.Length(size.X) / vg.Length(len(p.Rows))
	for _, name := range p.Rows {
		if s.Em*1.2*vg.Length(len(wrap(name, s.Label(), room-s.Em*.5))) > row {
			return rowNamesWidth([]string{p.Axis, p.Foot}, s, width), "Rows: " + strings.Join(p.Rows, "; ")
		}
	}
	return room, ""
}

func (p sheet) legend() []entry { return nil }
