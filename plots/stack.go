package plots

import (
	"fmt"
	"image"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// stacked lays figures out in rows of different heights, each row as wide as the whole, as lettered parts of one.
type stacked struct {
	title, caption string
	width          float64 // inches
	rows           []stackedRow
}

type stackedRow struct {
	height  float64 // inches
	letters string  // one for each figure
	figures []*Figure
}

func (p stacked) figure() *Figure {
	data := panelsData{Title: p.title, Caption: p.caption}
	f := newFigure("Panels", p.title, p.caption, nil)
	f.Width, f.Height, f.scale = p.width, .6, .75
	for _, row := range p.rows {
		f.Height += row.height
		for _, figure := range row.figures {
			data.Panels = append(data.Panels, figure.data)
		}
	}
	f.data, f.body = data, p.draw
	return f
}

func (p stacked) draw(c draw.Canvas, s theme.Style) {
	total := 0.0
	for _, row := range p.rows {
		total += row.height
	}
	gap, top := s.Em*1.4, c.Max.Y
	height := c.Size().Y
	for _, row := range p.rows {
		bottom := top - height*vg.Length(row.height/total)
		area := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: bottom}, Max: vg.Point{X: c.Max.X + gap, Y: top - gap*.4}}
		line := cells{area, 1, len(row.figures)}
		for i, figure := range row.figures {
			cell := line.at(0, i)
			cell.Max.X -= gap
			figure.body(layOut(draw.Canvas{Canvas: c.Canvas, Rectangle: cell}, s,
				fmt.Sprintf("(%c) %s", row.letters[i], figure.Title), figure.legend), s)
		}
		top = bottom
	}
}

// sheet is one picture as it is, as large as there is room: many small ones side by side.
type sheet struct {
	Title   string    `json:"title"`
	Columns []string  `json:"columns,omitempty"` // names above parts of equal width
	Axis    string    `json:"axis,omitempty"`    // what they run along
	Rows    []string  `json:"rows,omitempty"`    // names left of parts of equal height
	Image   imageData `json:"image"`
	picture image.Image
}

// figureOf makes a figure of a picture that is part of another.
func (p sheet) figureOf(picture image.Image) (*Figure, error) {
	if picture == nil || picture.Bounds().Empty() {
		return nil, fmt.Errorf("sheet %q: no pixels", p.Title)
	}
	p.picture, p.Image = picture, digestOf(picture)
	f := newFigure("Images", p.Title, "", p)
	f.body = p.draw
	return f, nil
}

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
	size := p.picture.Bounds().Size()
	scale := min(c.Size().X/vg.Length(size.X), c.Size().Y/vg.Length(size.Y))
	place := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Max.Y - scale*vg.Length(size.Y)},
		Max: vg.Point{X: c.Min.X + scale*vg.Length(size.X), Y: c.Max.Y}}
	c.DrawImage(place, onPage(p.picture, s.Background))
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
	rows := cells{place, max(1, len(p.Rows)), 1}
	for i, name := range p.Rows {
		drawRowName(c, s, name, center(rows.at(i, 0)).Y, place.Min.X, names)
	}
}
