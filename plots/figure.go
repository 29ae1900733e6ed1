// Package plots draws the figures of package chart. [Draw] makes a [Figure] of a chart, which can be drawn in any size,
// format and theme; equal input gives equal bytes.
package plots

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

const screenDPI = 96

// Figure is a picture that is not yet drawn. It can be drawn at any size, in any format and theme.
type Figure struct {
	chart.Figure
	theme   theme.Theme
	drawing drawing
	bare    bool // drawn without the caption
	// untitled figures are drawn without title and note, and fitted ones with letters of the same size at all widths.
	untitled, fitted bool
}

// drawing draws one kind of chart.
type drawing interface {
	legend() []entry
	draw(c draw.Canvas, s theme.Style)
}

// sized is a drawing whose nominal size, in inches, depends on the sizes of its letters.
type sized interface {
	size() (width, height float64)
}

// scaled is a drawing with its own scale of letters and lines.
type scaled interface{ scale() float64 }

// Draw returns the chart f as a figure in the light theme. It passes on err, so that it accepts the results of a Figure
// method: plots.Draw(chart.Lines{…}.Figure()).
func Draw(f *chart.Figure, err error) (*Figure, error) {
	if err != nil {
		return nil, err
	}
	drawn := &Figure{Figure: *f, theme: theme.Light, drawing: drawingOf(f.Chart)}
	if of, is := drawn.drawing.(sized); is && f.Height == 0 {
		drawn.Width, drawn.Height = of.size()
	}
	drawn.Height += float64(drawn.captionHeight(drawn.style(inches(drawn.Width)), inches(drawn.Width)) / vg.Inch)
	return drawn, nil
}

// drawingOf returns the drawing of a chart. It panics if the chart's type is unknown.
func drawingOf(graph any) drawing {
	switch c := graph.(type) {
	case chart.Bars:
		return barChart{c}
	case chart.DotRows:
		return dotRows{c}
	case chart.DotWhisker:
		return dotWhisker{c}
	case chart.Flow:
		return flow{c}
	case chart.HeatMap:
		return heatMap{c}
	case chart.Histogram:
		return histogram{c}
	case chart.ImageGrid:
		return imageGrid{c}
	case chart.Lines:
		return lineChart{c}
	case chart.Panels:
		return panels{c}
	case chart.Radar:
		return radar{c}
	case chart.Ranges:
		return ranges{c}
	case chart.Relay:
		return relay{c}
	case chart.Scatter:
		return scatter{c}
	case chart.Sheet:
		return sheet{c}
	case chart.Measured:
		return spectrogram{c}
	case chart.Stack:
		return stack{c}
	}
	panic(fmt.Sprintf("plots: no drawing of a %T", graph))
}

// legendOf returns the legend of a figure, or nil if the figure shows none.
func legendOf(f *chart.Figure) []entry {
	if f.NoLegend {
		return nil
	}
	return drawingOf(f.Chart).legend()
}

// Bare returns the figure without its caption, for pages that show the caption as text.
func (f *Figure) Bare() *Figure {
	g := *f
	g.Height -= float64(f.captionHeight(f.style(inches(f.Width)), inches(f.Width)) / vg.Inch)
	g.bare = true
	return &g
}

// Untitled returns the figure without its title, note and caption, for documents that set them as text.
func (f *Figure) Untitled() *Figure {
	g := *f.Bare()
	s := g.style(inches(g.Width))
	g.Height -= float64(g.headHeight(s, inches(g.Width)-2*margin(s)) / vg.Inch)
	g.untitled = true
	return &g
}

func (f *Figure) style(width vg.Length) theme.Style {
	s := f.theme.At(width)
	if f.fitted {
		s.Em = fittedEm
		return s
	}
	if of, is := f.drawing.(scaled); is {
		s = s.Scaled(of.scale())
	}
	return s
}

// captionGap is the room above a caption in letters' heights.
const captionGap = .8

// captionHeight returns the height of the caption at a width.
func (f *Figure) captionHeight(s theme.Style, width vg.Length) vg.Length {
	if f.bare || f.Caption == "" {
		return 0
	}
	lines := wrap(f.Explanation(), s.Caption(), width-2*margin(s))
	return s.Em*captionGap + lineHeight(s.Caption())*vg.Length(len(lines))
}

// drawCaption writes the caption at the bottom and returns the remaining canvas above it. If the caption would take
// more than half of the canvas, it writes nothing.
func (f *Figure) drawCaption(c draw.Canvas, s theme.Style, width vg.Length) draw.Canvas {
	height := f.captionHeight(s, width)
	if height == 0 || height > c.Size().Y/2 && !f.fitted {
		return c
	}
	below := c
	c.Min.Y += height
	below.Max.Y = c.Min.Y - s.Em*captionGap
	drawText(below, s.Caption(), 0, f.Explanation())
	return c
}

// In returns the figure in theme t. The default is light.
func (f *Figure) In(t theme.Theme) *Figure {
	g := *f
	g.theme = t
	return &g
}

// PNG returns the picture without its caption, and its nominal width and height in pixels on a screen with 96 dots per
// inch. The picture has scale times as many pixels. A notebook shows it with scale 2 at the nominal size, sharp on every
// screen, and the caption as text below it.
func (f *Figure) PNG(scale int) (png []byte, width, height int, err error) {
	f = f.Bare()
	var b bytes.Buffer
	if err := f.WritePNG(&b, f.Width, f.Height, scale*screenDPI); err != nil {
		return nil, 0, 0, err
	}
	return b.Bytes(), int(math.Round(f.Width * screenDPI)), int(math.Round(f.Height * screenDPI)), nil
}

// WritePNG draws the figure as PNG with the given size in inches and dots per inch.
func (f *Figure) WritePNG(w io.Writer, width, height float64, dpi int) error {
	drawn, err := f.Image(width, height, dpi)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, drawn); err != nil {
		return err
	}
	_, err = w.Write(withDensity(b.Bytes(), dpi))
	return err
}

// withDensity inserts the chunk pHYs, which holds the dots per metre, behind the header of a PNG file. Programs that
// place the picture then know its size.
func withDensity(file []byte, dpi int) []byte {
	const header = 8 + 25 // signature and chunk IHDR
	perMetre := uint32(math.Round(float64(dpi) / .0254))
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(file[:header], chunk, file[header:])
}

// Image draws the figure as pixels with the given size in inches and dots per inch.
func (f *Figure) Image(width, height float64, dpi int) (image.Image, error) {
	const most = 100e6
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	if pixels := width * height * float64(dpi) * float64(dpi); dpi < 10 || pixels > most {
		return nil, fmt.Errorf("figure: %d dots an inch at %g×%g inches; use at least 10 and at most %.0g pixels in "+
			"all", dpi, width, height, most)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(inches(width), inches(height)), vgimg.UseDPI(dpi),
		vgimg.UseBackgroundColor(f.theme.Background))
	f.draw(raster{canvas}, width, height)
	return canvas.Image(), nil
}

// WriteSVG draws the figure as SVG with the given size in inches. Text is drawn as outlines; the title and the caption
// are also in the document for screen readers.
func (f *Figure) WriteSVG(w io.Writer, width, height float64) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	canvas := vgsvg.New(inches(width), inches(height))
	f.draw(squares{canvas}, width, height)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	var words bytes.Buffer
	words.WriteString("<title>")
	xml.EscapeText(&words, []byte(f.Title)) // writing to a bytes.Buffer never fails
	words.WriteString("</title>\n<desc>")
	xml.EscapeText(&words, []byte(f.AltText()))
	words.WriteString("</desc>\n<g ")
	_, err := w.Write(bytes.Replace(b.Bytes(), []byte("<g "), words.Bytes(), 1))
	return err
}

// WritePDF draws the figure as a PDF page with the given size in inches.
func (f *Figure) WritePDF(w io.Writer, width, height float64) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	canvas := newPDF(inches(width), inches(height))
	f.draw(squares{canvas}, width, height)
	return canvas.write(w, f.Title)
}

func (f *Figure) draw(canvas vg.Canvas, width, height float64) {
	s := f.style(inches(width))
	c := draw.NewCanvas(outlined{canvas}, inches(width), inches(height))
	c.SetColor(s.Background)
	c.Fill(c.Rectangle.Path())
	m := margin(s)
	c = f.drawCaption(draw.Crop(c, m, -m, m, -m), s, inches(width))
	title, note := f.Title, f.Note
	if f.untitled {
		title, note = "", ""
	}
	legend := legendOf(&f.Figure)
	if p, is := f.drawing.(fitted); is {
		legend = p.legend()
	}
	f.drawing.draw(drawHead(c, s, title, note, legend), s)
}

// margin returns the empty rim of a figure.
func margin(s theme.Style) vg.Length { return s.Em * .9 }

func inches(x float64) vg.Length { return vg.Length(x) * vg.Inch }

func checkSize(width, height float64) error {
	if ok := func(x float64) bool { return x >= .5 && x <= 100 }; !ok(width) || !ok(height) {
		return fmt.Errorf("figure: %g×%g inches; width and height are between 0.5 and 100", width, height)
	}
	return nil
}
