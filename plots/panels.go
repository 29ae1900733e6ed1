package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type panels struct{ chart.Panels }

// legend returns the legend common to all panels with a legend, or nil.
func (p panels) legend() []entry {
	var shared []entry
	for _, panel := range p.Figures {
		legend := legendOf(panel)
		switch {
		case len(legend) == 0:
		case shared == nil:
			shared = legend
		case !slices.EqualFunc(legend, shared, func(a, b entry) bool { return a.name == b.name }):
			return nil
		}
	}
	return shared
}

func (p panels) rows() int { return (len(p.Figures) + p.Columns - 1) / p.Columns }

// scale returns the scale of letters and lines, between those for the whole width and those for a panel's width.
func (p panels) scale() float64 { return min(1, 1.2/math.Sqrt(float64(p.Columns))) }

func (p panels) size() (width, height float64) {
	width = min(8, 3.4*float64(p.Columns))
	s := theme.Light.At(inches(width)).Scaled(p.scale())
	above := s.Em * (3.4 + legendRow*vg.Length(len(legendRows(s, p.legend(), inches(width)-2*margin(s)))))
	height = float64(above/vg.Inch) + width/float64(p.Columns)*.75*float64(p.rows())
	return width, height * cmp.Or(p.Taller, 1)
}

func (p panels) draw(c draw.Canvas, s theme.Style) {
	gap := s.Em * 1.6
	area := c.Rectangle
	area.Max = area.Max.Add(vg.Point{X: gap, Y: gap})
	grid := cells{area, p.rows(), p.Columns}
	shared := p.legend() != nil
	for i, panel := range p.Figures {
		cell := grid.at(i/p.Columns, i%p.Columns)
		cell.Max = cell.Max.Sub(vg.Point{X: gap, Y: gap})
		legend := legendOf(panel)
		if shared {
			legend = nil
		}
		title := fmt.Sprintf("(%c) %s", 'a'+i, panel.Title)
		drawingOf(panel.Chart).draw(
			drawHead(draw.Canvas{Canvas: c.Canvas, Rectangle: cell}, s, title, panel.Note, legend), s)
	}
}
