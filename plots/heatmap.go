package plots

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// HeatMap shows one or more matrices in a row, with one colour scale, which a bar next to them explains.
type HeatMap struct {
	Title    string   `json:"title"`
	Caption  string   `json:"caption,omitempty"`
	XLabel   string   `json:"x_label,omitempty"`
	YLabel   string   `json:"y_label,omitempty"`
	Panels   []Matrix `json:"panels"`
	Scale    Scale    `json:"scale"`
	Annotate bool     `json:"annotate,omitempty"` // writes the values into the cells
	Decimals int      `json:"decimals,omitempty"` // decimals of written values
}

// Matrix is a named table of numbers.
type Matrix struct {
	Name    string      `json:"name,omitempty"`
	Rows    []string    `json:"rows"`
	Columns []string    `json:"columns"`
	Values  [][]float64 `json:"values"` // one list for each row
}

// Scale defines the values at the ends of the colours.
type Scale struct {
	Label     string  `json:"label"`
	Min       float64 `json:"min,omitempty"` // if Max is 0 too: the smallest and largest value of all panels
	Max       float64 `json:"max,omitempty"`
	Diverging bool    `json:"diverging,omitempty"` // the middle of the colours means 0
}

// Figure returns the chart as a figure.
func (h HeatMap) Figure() (*Figure, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	f := newFigure("Heat map", h.Title, h.Caption, h)
	f.body = h.draw
	return f, nil
}

func (h HeatMap) check() error {
	if err := firstError(filled("heat map", len(h.Panels)),
		finite("heat map: scale", h.Scale.Min, h.Scale.Max)); err != nil {
		return err
	}
	if h.Scale.Min > h.Scale.Max {
		return fmt.Errorf("heat map: scale from %g to %g; the smaller end comes first", h.Scale.Min, h.Scale.Max)
	}
	for _, m := range h.Panels {
		where := fmt.Sprintf("heat map: panel %q", m.Name)
		if err := firstError(filled(where, len(m.Rows)), filled(where, len(m.Columns)), filled(where, len(m.Values)),
			matching(where, "row names", len(m.Values), len(m.Rows))); err != nil {
			return err
		}
		for i, row := range m.Values {
			where := fmt.Sprintf("%s, row %q", where, m.Rows[i])
			if err := firstError(filled(where, len(row)), matching(where, "values", len(m.Columns), len(row)),
				finite(where, row...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// span returns the values at the ends of the colours.
func (h HeatMap) span() (lo, hi float64) {
	lo, hi = h.Scale.Min, h.Scale.Max
	if lo == 0 && hi == 0 {
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, m := range h.Panels {
			for _, row := range m.Values {
				lo, hi = min(lo, slices.Min(row)), max(hi, slices.Max(row))
			}
		}
	}
	if h.Scale.Diverging {
		hi = max(math.Abs(lo), math.Abs(hi))
		lo = -hi
	}
	if lo == hi {
		hi = lo + 1
	}
	return widened(lo, hi)
}

func (h HeatMap) colors(s theme.Style) theme.Map {
	if h.Scale.Diverging {
		return s.Diverging
	}
	return s.Sequential
}

func (h HeatMap) draw(c draw.Canvas, s theme.Style) {
	if h.YLabel != "" {
		c.Min.X += s.Em * 1.5
	}
	bottom := s.Em * 1.6
	if h.XLabel != "" {
		bottom += s.Em * 1.5
	}
	top := vg.Length(0)
	if slices.ContainsFunc(h.Panels, func(m Matrix) bool { return m.Name != "" }) {
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
func (h HeatMap) drawLabels(c, area draw.Canvas, s theme.Style) {
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
func (h HeatMap) drawBar(c draw.Canvas, s theme.Style) draw.Canvas {
	lo, hi := h.span()
	return scaleBar{h.Scale.Label, lo, hi, h.colors(s)}.draw(c, s)
}

// drawMatrix fills the canvas with the matrix and writes around it.
func (h HeatMap) drawMatrix(c draw.Canvas, s theme.Style, m Matrix, names vg.Length) {
	grid := cells{c.Rectangle, len(m.Rows), len(m.Columns)}
	lo, hi := h.span()
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
