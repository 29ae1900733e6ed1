package plots

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type heatMap struct{ chart.HeatMap }

func (h heatMap) colors(s theme.Style) theme.Map {
	if h.Scale.Diverging {
		return s.Diverging
	}
	return s.Sequential
}

func (h heatMap) draw(c draw.Canvas, s theme.Style) {
	if h.YLabel != "" {
		c.Min.X += s.Em * 1.5
	}
	bottom := s.Em * 1.6
	if h.XLabel != "" {
		bottom += s.Em * 1.5
	}
	top := vg.Length(0)
	if slices.ContainsFunc(h.Panels, func(m chart.Matrix) bool { return m.Name != "" }) {
		top = s.Em * 1.6
	}
	// The remaining height is for the matrices and the bar.
	area := h.drawBar(draw.Crop(c, 0, 0, bottom, -top), s)
	// Panels with the same rows as the first panel share its row names, and all matrices have the same width.
	names := make([]vg.Length, len(h.Panels))
	room := area.Size().X - s.Em*vg.Length(len(h.Panels)-1)
	for i, m := range h.Panels {
		if i == 0 || !slices.Equal(m.Rows, h.Panels[0].Rows) {
			names[i] = rowNamesWidth(m.Rows, s, area.Size().X*.3)
		}
		room -= names[i]
	}
	x := area.Min.X
	for i, m := range h.Panels {
		x += names[i]
		matrix := area
		matrix.Min.X, matrix.Max.X = x, x+room/vg.Length(len(h.Panels))
		h.drawMatrix(matrix, s, m, names[i])
		x = matrix.Max.X + s.Em
	}
	area.Min.X += names[0]
	h.drawLabels(c, area, s)
}

// drawLabels writes the labels of rows and columns at the middle of the matrices.
func (h heatMap) drawLabels(c, area draw.Canvas, s theme.Style) {
	style := s.Label()
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	c.FillText(style, vg.Point{X: area.Center().X, Y: c.Min.Y + s.Em*.2}, h.XLabel)
	style.Rotation, style.YAlign = math.Pi/2, draw.YTop
	c.FillText(style, vg.Point{X: c.Min.X - s.Em*1.5, Y: area.Center().Y}, h.YLabel)
}

// rowNamesWidth returns the room for names left of rows.
func rowNamesWidth(names []string, s theme.Style, most vg.Length) vg.Length {
	widest := vg.Length(0)
	for _, name := range names {
		widest = max(widest, s.Label().Width(name))
	}
	return min(widest, most) + s.Em*.6
}

// drawBar draws the scale at the right and returns the remaining canvas.
func (h heatMap) drawBar(c draw.Canvas, s theme.Style) draw.Canvas {
	lo, hi := h.Span()
	return scaleBar{h.Scale.Label, lo, hi, h.colors(s)}.draw(c, s)
}

// drawMatrix fills the canvas with the matrix and writes its names around it.
func (h heatMap) drawMatrix(c draw.Canvas, s theme.Style, m chart.Matrix, names vg.Length) {
	grid := cells{c.Rectangle, len(m.Rows), len(m.Columns)}
	lo, hi := h.Span()
	colors := h.colors(s)
	for i, row := range m.Values {
		for j, v := range row {
			fill := colors.At((v - lo) / (hi - lo))
			c.SetColor(fill)
			c.Fill(grid.overlapping(i, j).Path())
			if h.Annotate {
				style := s.Note()
				style.XAlign, style.Color = draw.XCenter, s.On(fill)
				write(c, style, center(grid.at(i, j)), minus(strconv.FormatFloat(v, 'f', h.Decimals, 64)))
			}
		}
	}
	if names > 0 {
		grid.drawRowNames(c, s, m.Rows, names)
	}
	grid.drawColumnNames(c, s, m.Columns)
	style := s.Heading()
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y + s.Em*.55}, m.Name)
}

func (h heatMap) legend() []entry { return nil }
