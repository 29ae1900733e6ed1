package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// rowName is the name of a line of a chart whose vertical axis is a list.
type rowName struct {
	text    string
	heading bool // the name is a heading for the lines below
}

func (r rowName) style(s theme.Style) (style draw.TextStyle) {
	style = s.Note()
	if r.heading {
		style = s.Heading()
	}
	style.XAlign = draw.XRight
	return style
}

// drawRows draws axes whose vertical one is a list of names, the first on top, and lets data draw on them: line i is at
// height i.
func drawRows(c draw.Canvas, s theme.Style, x chart.Axis, xs []float64, rows []rowName, data plotter) {
	const most = .4 // fraction of the width
	room, gap := c.Size().X*most, s.Em*.4
	width := vg.Length(0)
	for _, r := range rows {
		width = max(width, r.style(s).Width(shorten(r.text, r.style(s), room)))
	}
	c.Min.X += width + gap
	p := newPlot(c, s, x, chart.Axis{Min: -.6, Max: float64(len(rows)) - .4}, xs, nil)
	marks := make([]plot.Tick, 0, len(rows))
	for i, r := range rows {
		if !r.heading {
			marks = append(marks, plot.Tick{Value: float64(i), Label: " "}) // a tick without a label has no grid line
		}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(marks)
	p.Y.Tick.Length = 0
	p.Y.Tick.Label.Font.Size = 0
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		_, y := p.Transforms(&c)
		for i, r := range rows {
			write(c, r.style(s), vg.Point{X: c.Min.X - gap, Y: y(float64(i))}, shorten(r.text, r.style(s), room))
		}
	}), data)
	p.Draw(c)
}

func drawRegion(c draw.Canvas, p *plot.Plot, fill color.NRGBA, r chart.Region) {
	x, _ := p.Transforms(&c)
	c.SetColor(fill)
	c.Fill(vg.Rectangle{
		Min: vg.Point{X: max(c.Min.X, x(r.Lo)), Y: c.Min.Y}, Max: vg.Point{X: min(c.Max.X, x(r.Hi)), Y: c.Max.Y},
	}.Path())
}
