package plots

import (
	"fmt"
	"image"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Sheet shows one picture as large as possible: a grid of many small ones.
type Sheet struct {
	Title   string
	Caption string
	Columns []string      // names above parts of equal width
	Axis    string        // the quantity along the columns
	Rows    []string      // names left of parts of equal height
	Boxed   []image.Point // parts with a box around them, by column and row
	Role    theme.Role    // role that gives the boxes their colour
	Picture image.Image
}

// sheetData is the content of a sheet without the pixels.
type sheetData struct {
	Title   string        `json:"title"`
	Caption string        `json:"caption,omitempty"`
	Columns []string      `json:"columns,omitempty"`
	Axis    string        `json:"axis,omitempty"`
	Rows    []string      `json:"rows,omitempty"`
	Boxed   []image.Point `json:"boxed,omitempty"`
	Image   imageData     `json:"image"`
}

// Figure returns the picture with its names as a figure.
func (p Sheet) Figure() (*Figure, error) {
	if p.Picture == nil || p.Picture.Bounds().Empty() {
		return nil, fmt.Errorf("sheet %q: no pixels", p.Title)
	}
	f := newFigure("Images", p.Title, p.Caption,
		sheetData{p.Title, p.Caption, p.Columns, p.Axis, p.Rows, p.Boxed, digestOf(p.Picture)})
	f.body = p.draw
	return f, nil
}

func (p Sheet) draw(c draw.Canvas, s theme.Style) {
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
