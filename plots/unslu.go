package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

// gumResiduals is recomputed minus printed GUM, a line for each column of the tables.
type gumResiduals struct {
	Tolerance float64          `json:"tolerance"`
	Cells     []audit.GUMValue `json:"cells"`
}

// GUMResiduals shows how far the GUM values that UnSLU-BENCH prints (Tables 1 to 3) lie from its formula: once with
// test accuracy as the utility, once with macro F1. Methods whose residual exceeds the tolerance, which is what
// rounding can explain, are named.
func GUMResiduals(cells []audit.GUMValue, tolerance float64) (*Figure, error) {
	if err := filled("GUM residuals", len(cells)); err != nil {
		return nil, err
	}
	if !(tolerance > 0) || math.IsInf(tolerance, 0) {
		return nil, fmt.Errorf("GUM residuals: tolerance %g; give what rounding can explain, such as 0.0006", tolerance)
	}
	for _, c := range cells {
		if err := finite(fmt.Sprintf("GUM residuals: %s, %s", c.Column, c.Row), c.Printed, c.Accuracy,
			c.F1); err != nil {
			return nil, err
		}
	}
	g := gumResiduals{tolerance, cells}
	outside := func(r gumReading) (n int) {
		for _, c := range cells {
			if math.Abs(r.residual(c)) > tolerance {
				n++
			}
		}
		return n
	}
	f := newFigure("Dot plot", "The printed GUM against its formula under two readings", fmt.Sprintf(
		"Recomputed minus printed GUM of %d cells in %d columns; rounding explains ±%g. Outside it lie %d cells with "+
			"accuracy and %d with macro F1",
		len(cells), len(g.columns()), tolerance, outside(gumReadings[0]), outside(gumReadings[1])), g)
	if outside(gumReadings[0]) == 0 && outside(gumReadings[1]) > 0 {
		f.Title = "The printed GUM is computed from accuracy, not from macro F1"
	}
	f.Height = max(defaultHeight/2, 1.4+.46*float64(len(g.columns())))
	for _, r := range gumReadings {
		f.legend = append(f.legend, markEntry(r.name, func(s theme.Style) draw.GlyphStyle { return s.Mark(r.series) }))
	}
	f.legend = append(f.legend, areaEntry(fmt.Sprintf("rounding, ±%g", tolerance), func(s theme.Style) color.NRGBA {
		return s.Region
	}))
	f.body = g.draw
	return f, nil
}

// gumReading is one way to read the utility in GUM; its dots lie above or below the middle of a line.
type gumReading struct {
	name     string
	series   int
	offset   float64
	residual func(audit.GUMValue) float64
}

var gumReadings = []gumReading{
	{"utility = test accuracy", 0, -.28, func(c audit.GUMValue) float64 { return c.Accuracy - c.Printed }},
	{"utility = macro F1", 1, .06, func(c audit.GUMValue) float64 { return c.F1 - c.Printed }},
}

func (g gumResiduals) columns() []string {
	var columns []string
	for _, c := range g.Cells {
		if !slices.Contains(columns, c.Column) {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

func (g gumResiduals) draw(c draw.Canvas, s theme.Style) {
	columns := g.columns()
	residuals := []float64{-g.Tolerance, g.Tolerance}
	for _, cell := range g.Cells {
		for _, r := range gumReadings {
			residuals = append(residuals, r.residual(cell))
		}
	}
	rows := make([]rowName, len(columns))
	for i, column := range columns {
		rows[i] = rowName{text: column}
	}
	drawRows(c, s, Axis{Label: "recomputed − printed GUM"}, residuals, rows, func(c draw.Canvas, p *plot.Plot) {
		drawRegion(c, p, s.Region, Region{Lo: -g.Tolerance, Hi: g.Tolerance})
		names := labels{canvas: c, style: s.Note(), gap: s.Em * .55}
		for _, r := range gumReadings {
			for _, cell := range g.byResidual(r) {
				line := float64(slices.Index(columns, cell.Column)) + r.offset
				at := polyline(c, p, []float64{r.residual(cell)}, []float64{line})
				mark := s.Mark(r.series)
				mark.Radius *= .85
				drawMarks(c, s, mark, at)
				name := ""
				if math.Abs(r.residual(cell)) > g.Tolerance {
					name = cell.Row
				}
				names.add(name, at[0])
			}
		}
		names.draw()
	})
}

// byResidual returns the cells from the largest residual to the smallest, so that the largest are named where there is
// little room.
func (g gumResiduals) byResidual(r gumReading) []audit.GUMValue {
	return slices.SortedStableFunc(slices.Values(g.Cells), func(a, b audit.GUMValue) int {
		return cmp.Compare(math.Abs(r.residual(b)), math.Abs(r.residual(a)))
	})
}
