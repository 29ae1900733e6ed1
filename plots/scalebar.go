package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// scaleBar explains which values the colours mean.
type scaleBar struct {
	label  string
	lo, hi float64
	colors theme.Map
}

func (b scaleBar) marks() []plot.Tick { return ticks{room: 5}.Ticks(b.lo, b.hi) }

// widest returns the width of the longest value.
func (b scaleBar) widest(s theme.Style) vg.Length {
	widest := vg.Length(0)
	for _, t := range b.marks() {
		widest = max(widest, s.Tick().Width(t.Label))
	}
	return widest
}

// width returns the width of the bar with a gap.
func (b scaleBar) width(s theme.Style) vg.Length {
	width := b.widest(s) + s.Em*2.4
	if b.label != "" {
		width += s.Em * 1.6
	}
	return width
}

// draw draws the bar at the right, as high as the canvas, and returns the remaining canvas.
func (b scaleBar) draw(c draw.Canvas, s theme.Style) draw.Canvas {
	right := c.Max.X
	if b.label != "" {
		label := s.Label()
		label.Rotation, label.XAlign, label.YAlign = math.Pi/2, draw.XCenter, draw.YBottom
		c.FillText(label, vg.Point{X: right - s.Em*.2, Y: c.Center().Y}, b.label)
		right -= s.Em * 1.6
	}
	bar, widest := c.Rectangle, b.widest(s)
	bar.Min.X, bar.Max.X = right-widest-s.Em*1.4, right-widest-s.Em*.5
	const steps = 256
	strips := cells{bar, steps, 1}
	for i := range steps {
		// Each strip extends to the bottom under those that follow, so that no seam is visible.
		strip := vg.Rectangle{Min: bar.Min, Max: strips.at(i, 0).Max}
		c.SetColor(b.colors.At(1 - (float64(i)+.5)/steps))
		c.Fill(strip.Path())
	}
	for _, t := range b.marks() {
		y := bar.Min.Y + bar.Size().Y*vg.Length((t.Value-b.lo)/(b.hi-b.lo))
		c.StrokeLine2(s.Rule(), bar.Max.X, y, bar.Max.X+s.Em*.25, y)
		write(c, s.Tick(), vg.Point{X: bar.Max.X + s.Em*.5, Y: y}, t.Label)
	}
	c.Max.X = bar.Min.X - s.Em
	return c
}
