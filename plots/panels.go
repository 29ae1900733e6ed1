package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Panels arranges figures in a grid as (a), (b), (c), … of one figure. A legend that all panels share is drawn once.
type Panels struct {
	Title   string
	Caption string
	Columns int // panels per row
	Figures []*Figure
}

// panelsData is the data of the panels in their order.
type panelsData struct {
	Title   string `json:"title"`
	Caption string `json:"caption,omitempty"`
	Panels  []any  `json:"panels"`
}

// Figure returns the panels as one figure.
func (p Panels) Figure() (*Figure, error) {
	if err := filled("panels", len(p.Figures)); err != nil {
		return nil, err
	}
	if len(p.Figures) > 'z'-'a'+1 {
		return nil, fmt.Errorf("panels: %d figures; letters name 26", len(p.Figures))
	}
	if p.Columns < 1 || p.Columns > len(p.Figures) {
		return nil, fmt.Errorf("panels: %d columns for %d figures; use 1 to %[2]d", p.Columns, len(p.Figures))
	}
	data := panelsData{Title: p.Title, Caption: p.Caption}
	for i, panel := range p.Figures {
		if panel == nil {
			return nil, fmt.Errorf("panels: figure %d is nil", i+1)
		}
		data.Panels = append(data.Panels, panel.data)
	}
	f := newFigure("Panels", p.Title, p.Caption, data)
	rows := (len(p.Figures) + p.Columns - 1) / p.Columns
	f.Width = min(8, 3.4*float64(p.Columns))
	f.scale = min(1, 1.2/math.Sqrt(float64(p.Columns))) // between the type for the whole width and for a panel's width
	shared := p.sharedLegend()
	f.legend = shared
	s := f.theme.At(inches(f.Width)).Scaled(f.scale)
	above := s.Em * (3.4 + legendRow*vg.Length(len(legendRows(s, shared, inches(f.Width)-2*margin(s)))))
	f.Height = float64(above/vg.Inch) + f.Width/float64(p.Columns)*.75*float64(rows)
	f.body = func(c draw.Canvas, s theme.Style) { p.draw(c, s, rows, shared != nil) }
	return f, nil
}

// sharedLegend returns the legend common to all panels with a legend, or nil.
func (p Panels) sharedLegend() []entry {
	var shared []entry
	for _, panel := range p.Figures {
		switch {
		case len(panel.legend) == 0:
		case shared == nil:
			shared = panel.legend
		case !slices.EqualFunc(panel.legend, shared, func(a, b entry) bool { return a.name == b.name }):
			return nil
		}
	}
	return shared
}

func (p Panels) draw(c draw.Canvas, s theme.Style, rows int, sharedLegend bool) {
	gap := s.Em * 1.6
	area := c.Rectangle
	area.Max = area.Max.Add(vg.Point{X: gap, Y: gap})
	grid := cells{area, rows, p.Columns}
	for i, panel := range p.Figures {
		cell := grid.at(i/p.Columns, i%p.Columns)
		cell.Max = cell.Max.Sub(vg.Point{X: gap, Y: gap})
		legend := panel.legend
		if sharedLegend {
			legend = nil
		}
		title := fmt.Sprintf("(%c) %s", 'a'+i, panel.Title)
		panel.body(drawHead(draw.Canvas{Canvas: c.Canvas, Rectangle: cell}, s, title, panel.Note, legend), s)
	}
}
