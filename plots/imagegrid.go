package plots

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// ImageGrid shows images in rows and columns: a contact sheet or, with named columns, a strip along a quantity such as
// ψ.
type ImageGrid struct {
	Title       string
	Caption     string
	ColumnsName string   // the quantity along the columns: "ψ"
	Columns     []string // names above the columns, or nil
	Spans       []Span   // names of adjacent columns, instead of Columns
	Rows        []string // names left of the rows, or nil
	Images      [][]image.Image
}

// Span is several adjacent columns with one name.
type Span struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
}

// gridData is the content of a grid without the pixels.
type gridData struct {
	Title       string        `json:"title"`
	Caption     string        `json:"caption,omitempty"`
	ColumnsName string        `json:"columns_name,omitempty"`
	Columns     []string      `json:"columns,omitempty"`
	Spans       []Span        `json:"spans,omitempty"`
	Rows        []string      `json:"rows,omitempty"`
	Images      [][]imageData `json:"images"`
}

type imageData struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	SHA256 string `json:"sha256"` // hash of the pixels as 8-bit RGBA, row by row
}

// Figure returns the grid as a figure. Its height keeps the cells square.
func (g ImageGrid) Figure() (*Figure, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	f := newFigure("Images", g.Title, g.Caption, g.summary())
	columns := len(g.Images[0])
	s := theme.Light.At(inches(defaultWidth))
	around := 2*margin(s) + g.namesWidth(s, inches(defaultWidth))
	side := min(inches(1.2), (inches(defaultWidth)-around)/vg.Length(columns))
	f.Width = max(defaultWidth/2, float64((around+side*vg.Length(columns))/vg.Inch))
	f.Height = float64((2*margin(s) + s.Em*2.3 + side*vg.Length(len(g.Images))) / vg.Inch)
	if g.headed() {
		f.Height += float64(columnNamesHeight(s) / vg.Inch)
	}
	f.body = g.draw
	return f, nil
}

// headed reports whether there are names above the columns.
func (g ImageGrid) headed() bool { return len(g.Columns)+len(g.Spans) > 0 }

// namesWidth returns the width of the rows' names.
func (g ImageGrid) namesWidth(s theme.Style, room vg.Length) vg.Length {
	if len(g.Rows) == 0 {
		return 0
	}
	return rowNamesWidth(g.Rows, s, room*.25)
}

func columnNamesHeight(s theme.Style) vg.Length { return s.Em * 1.5 }

func (g ImageGrid) check() error {
	if err := filled("image grid", len(g.Images)); err != nil {
		return err
	}
	columns := len(g.Images[0])
	if err := firstError(
		filled("image grid: first row", columns), optional("image grid", "column names", columns, len(g.Columns)),
		optional("image grid", "row names", len(g.Images), len(g.Rows)),
	); err != nil {
		return err
	}
	spanned := 0
	for _, span := range g.Spans {
		if span.Columns < 1 {
			return fmt.Errorf("image grid: span %q has %d columns; give 1 or more", span.Name, span.Columns)
		}
		spanned += span.Columns
	}
	if err := optional("image grid", "columns in spans", columns, spanned); err != nil {
		return err
	}
	for i, row := range g.Images {
		if len(row) != columns {
			return fmt.Errorf("image grid: row %d has %d images, the first has %d; fill the row", i+1, len(row),
				columns)
		}
		for j, img := range row {
			if img == nil || img.Bounds().Empty() {
				return fmt.Errorf("image grid: row %d, column %d: no pixels", i+1, j+1)
			}
		}
	}
	return nil
}

func (g ImageGrid) summary() gridData {
	data := gridData{g.Title, g.Caption, g.ColumnsName, g.Columns, g.Spans, g.Rows, make([][]imageData, len(g.Images))}
	for i, row := range g.Images {
		for _, img := range row {
			data.Images[i] = append(data.Images[i], digestOf(img))
		}
	}
	return data
}

func digestOf(img image.Image) imageData {
	size := img.Bounds().Size()
	flat := image.NewRGBA(image.Rectangle{Max: size})
	stddraw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, stddraw.Src)
	sum := sha256.Sum256(flat.Pix)
	return imageData{size.X, size.Y, hex.EncodeToString(sum[:])}
}

func (g ImageGrid) draw(c draw.Canvas, s theme.Style) {
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

// drawPicture draws an image into a square cell with its own proportions and a gap around it.
func drawPicture(c draw.Canvas, cell vg.Rectangle, img image.Image, page color.NRGBA, gap vg.Length) {
	size := img.Bounds().Size()
	room := cell.Size().X - 2*gap
	scale := room / vg.Length(max(size.X, size.Y))
	half := vg.Point{X: scale * vg.Length(size.X) / 2, Y: scale * vg.Length(size.Y) / 2}
	middle := center(cell)
	c.DrawImage(vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}, onPage(img, page))
}
