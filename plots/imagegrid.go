package plots

import (
	"cmp"
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type imageGrid struct{ chart.ImageGrid }

// headed reports whether there are names above the columns.
func (g imageGrid) headed() bool { return len(g.Columns)+len(g.Spans) > 0 }

// namesWidth returns the width of the rows' names.
func (g imageGrid) namesWidth(s theme.Style, room vg.Length) vg.Length {
	if len(g.Rows) == 0 {
		return 0
	}
	return rowNamesWidth(g.Rows, s, max(room*.25, s.Em*8))
}

func columnNamesHeight(s theme.Style) vg.Length { return s.Em * 1.5 }

func (g imageGrid) draw(c draw.Canvas, s theme.Style) {
	names := g.namesWidth(s, c.Size().X)
	c.Min.X += names
	top := c.Max.Y
	if g.headed() {
		c.Max.Y -= columnNamesHeight(s)
	}
	columns := len(g.Images[0])
	side := min(c.Size().X/vg.Length(columns), c.Size().Y/vg.Length(len(g.Images)))
	grid := cells{c.Rectangle, len(g.Images), columns}
	grid.Max.X = grid.Min.X + side*vg.Length(columns)
	grid.Min.Y = grid.Max.Y - side*vg.Length(len(g.Images))
	for i, row := range g.Images {
		for j, img := range row {
			drawPicture(c, grid.at(i, j), img, s.Background, s.Em*.14)
		}
	}
	style := s.Tick()
	style.YAlign = draw.YTop
	if g.ColumnsName != "" && len(g.Columns) > 0 {
		style.XAlign = draw.XRight
		c.FillText(style, vg.Point{X: grid.Min.X - s.Em*.4, Y: top}, g.ColumnsName)
	}
	style.XAlign = draw.XLeft
	first := 0
	for _, span := range g.Spans {
		left := grid.at(0, first).Min.X
		if first > 0 {
			c.StrokeLine2(s.Rule(), left, grid.Min.Y, left, top)
		}
		c.FillText(style, vg.Point{X: left + s.Em*.3, Y: top},
			shorten(span.Name, style, side*vg.Length(span.Columns)-s.Em*.3))
		first += span.Columns
	}
	style.XAlign = draw.XCenter
	for j, name := range g.Columns {
		c.FillText(style, vg.Point{X: center(grid.at(0, j)).X, Y: top}, shorten(name, style, side))
	}
	for i, name := range g.Rows {
		drawRowName(c, s, name, center(grid.at(i, 0)).Y, grid.Min.X, names)
	}
}

// drawRowName writes the name of a row left of its beginning, in as many lines as the width requires.
func drawRowName(c draw.Canvas, s theme.Style, name string, middle, left, width vg.Length) {
	label := s.Label()
	label.XAlign = draw.XRight
	lines := wrap(name, label, width-s.Em*.5)
	y := middle + s.Em*.6*vg.Length(len(lines)-1)
	for _, line := range lines {
		write(c, label, vg.Point{X: left - s.Em*.4, Y: y}, line)
		y -= s.Em * 1.2
	}
}

// drawPicture draws an image into a square cell, keeping its proportions and leaving a gap around it.
func drawPicture(c draw.Canvas, cell vg.Rectangle, img image.Image, page color.NRGBA, gap vg.Length) {
	size := img.Bounds().Size()
	room := cell.Size().X - 2*gap
	scale := room / vg.Length(max(size.X, size.Y))
	half := vg.Point{X: scale * vg.Length(size.X) / 2, Y: scale * vg.Length(size.Y) / 2}
	middle := center(cell)
	c.DrawImage(vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, onPage(img, page))
}

func (g imageGrid) legend() []entry { return nil }

func (g imageGrid) size() (width, height float64) {
	const usual = 6. // inches
	columns := len(g.Images[0])
	s := theme.Light.At(inches(usual))
	around := 2*margin(s) + g.namesWidth(s, inches(usual))
	side := min(inches(1.2), (inches(usual)-around)/vg.Length(columns))
	width = max(usual/2, float64((around+side*vg.Length(columns))/vg.Inch))
	height = float64((2*margin(s) + s.Em*2.3 + side*vg.Length(len(g.Images))) / vg.Inch)
	if g.headed() {
		height += float64(columnNamesHeight(s) / vg.Inch)
	}
	larger := cmp.Or(g.Larger, 1)
	return width * larger, height * larger
}
