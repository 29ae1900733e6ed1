package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type scatter struct{ chart.Scatter }

func frontLine(s theme.Style) draw.LineStyle {
	return draw.LineStyle{Color: s.Muted, Width: s.Em * .12}
}

func (sc scatter) draw(c draw.Canvas, s theme.Style) {
	var xs, ys []float64
	for _, p := range sc.Points() {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	p := newPlot(c, s, sc.X, sc.Y, xs, ys)
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		steps := sc.steps(c, p)
		c.StrokeLines(frontLine(s), c.ClipLinesXY(steps)...)
		names := labels{canvas: c, style: s.Note(), gap: s.Em * .6, lines: along(steps, s.Em*.2)}
		for i, g := range sc.Groups {
			for _, point := range g.Points {
				at := polyline(c, p, []float64{point.X}, []float64{point.Y})
				drawMarks(c, s, s.Mark(i), at)
				names.add(point.Name, at[0])
			}
		}
		names.draw()
	}))
	p.Draw(c)
}

// along returns the rectangles that horizontal and vertical segments cover.
func along(line []vg.Point, width vg.Length) []vg.Rectangle {
	var covered []vg.Rectangle
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		covered = append(covered, vg.Rectangle{
			Min: vg.Point{X: min(a.X, b.X) - width/2, Y: min(a.Y, b.Y) - width/2},
			Max: vg.Point{X: max(a.X, b.X) + width/2, Y: max(a.Y, b.Y) + width/2},
		})
	}
	return covered
}

// steps returns the front as steps: the corner of a step dominates everything behind it.
func (sc scatter) steps(c draw.Canvas, p *plot.Plot) []vg.Point {
	var xs, ys []float64
	for i, point := range sc.Front() {
		if i > 0 {
			// Between two points the front guarantees only the worse of both scores.
			previous := sc.Front()[i-1]
			if sc.BetterX == chart.Higher {
				xs, ys = append(xs, previous.X), append(ys, point.Y)
			} else {
				xs, ys = append(xs, point.X), append(ys, previous.Y)
			}
		}
		xs, ys = append(xs, point.X), append(ys, point.Y)
	}
	return polyline(c, p, xs, ys)
}

func (sc scatter) legend() (all []entry) {
	for i, g := range sc.Groups {
		if g.Name != "" {
			all = append(all, markEntry(g.Name, func(s theme.Style) draw.GlyphStyle { return s.Mark(i) }))
		}
	}
	if sc.Ranked() {
		all = append(all, lineEntry("Pareto front", frontLine))
	}
	return all
}
