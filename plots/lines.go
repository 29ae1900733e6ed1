package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type lineChart struct{ chart.Lines }

// pieces returns the parts of a series between gaps.
func pieces(s chart.Series) (all []chart.Series) {
	start := 0
	for i := range s.X {
		broken := i+1 < len(s.X) && slices.ContainsFunc(s.Gaps, func(gap float64) bool {
			return gap > s.X[i] && gap < s.X[i+1]
		})
		if !broken && i+1 < len(s.X) {
			continue
		}
		piece := chart.Series{X: s.X[start : i+1], Y: s.Y[start : i+1]}
		if len(s.Lo) > 0 {
			piece.Lo, piece.Hi = s.Lo[start:i+1], s.Hi[start:i+1]
		}
		all = append(all, piece)
		start = i + 1
	}
	return all
}

// targetLine returns the line of a target, in the colour of its series if it names one.
func (l lineChart) targetLine(s theme.Style, target int) draw.LineStyle {
	line := s.Target(target)
	for i, series := range l.Series {
		if name := l.Targets[target].Series; name != "" && name == series.Name {
			line.Color = s.Color(series.Role.Series(i))
		}
	}
	return line
}

// stroke returns the line style of a series.
func stroke(s theme.Style, look int, broken bool) draw.LineStyle {
	line := s.Line(look)
	if broken {
		line.Dashes = []vg.Length{s.Em * .45, s.Em * .35}
	}
	return line
}

func (l lineChart) draw(c draw.Canvas, s theme.Style) {
	xs, ys := l.Values()
	if l.Whiskers { // room for the outer series
		room := .04 * float64(len(l.Series)) / 4 * (slices.Max(xs) - slices.Min(xs))
		xs = append(xs, slices.Min(xs)-room, slices.Max(xs)+room)
	}
	p := newPlot(c, s, l.X, l.Y, xs, ys)
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		l.drawBeyond(c, p, s)
		l.drawMarked(c, p, s)
		for i, series := range l.Series {
			if l.Whiskers {
				l.drawWhiskers(c, p, s, i)
				continue
			}
			for _, piece := range pieces(series) {
				drawBand(c, p, theme.Alpha(s.Color(series.Role.Series(i)), .16), piece)
			}
		}
		for i, target := range l.Targets {
			drawTarget(c, p, l.targetLine(s, i), target.Value)
		}
		for i, guide := range l.Guides {
			for _, piece := range pieces(guide) {
				c.StrokeLines(s.Target(len(l.Targets)+i), c.ClipLinesXY(polyline(c, p, piece.X, piece.Y))...)
			}
		}
		for i, series := range l.Series {
			for _, piece := range pieces(series) {
				c.StrokeLines(stroke(s, series.Role.Series(i), series.Broken),
					c.ClipLinesXY(l.points(c, p, s, i, piece.X, piece.Y))...)
			}
			drawMarks(c, s, s.Mark(series.Role.Series(i)),
				thinOut(l.points(c, p, s, i, series.X, series.Y), s.Em*1.6))
		}
		for _, series := range l.Series {
			for _, at := range series.Printed {
				drawMarks(c, s, s.Printed(), polyline(c, p, []float64{at.X}, []float64{at.Y}))
			}
		}
	}))
	p.Draw(c)
}

// points maps data of a series to the canvas, shifted a little sideways if the series have whiskers.
func (l lineChart) points(c draw.Canvas, p *plot.Plot, s theme.Style, series int, xs, ys []float64) []vg.Point {
	points := polyline(c, p, xs, ys)
	if l.Whiskers {
		for i := range points {
			points[i].X += s.Em * .15 * vg.Length(float64(series)-float64(len(l.Series)-1)/2)
		}
	}
	return points
}

// drawWhiskers draws the intervals of a series as vertical lines.
func (l lineChart) drawWhiskers(c draw.Canvas, p *plot.Plot, s theme.Style, series int) {
	of := l.Series[series]
	if len(of.Lo) == 0 {
		return
	}
	low, high := l.points(c, p, s, series, of.X, of.Lo), l.points(c, p, s, series, of.X, of.Hi)
	line := s.Line(of.Role.Series(series))
	line.Width = s.Em * .1
	for i := range low {
		c.StrokeLines(line, c.ClipLinesXY([]vg.Point{low[i], high[i]})...)
	}
}

// drawBeyond shades the chart from a value of X on, and draws the grid over it.
func (l lineChart) drawBeyond(c draw.Canvas, p *plot.Plot, s theme.Style) {
	if l.Beyond == nil {
		return
	}
	x, _ := p.Transforms(&c)
	from := max(c.Min.X, x(l.Beyond.Value))
	if from >= c.Max.X {
		return
	}
	c.SetColor(s.Region)
	c.Fill(vg.Rectangle{Min: vg.Point{X: from, Y: c.Min.Y}, Max: c.Max}.Path())
	drawGrid(c, p, s)
	c.StrokeLine2(s.Rule(), from, c.Min.Y, from, c.Max.Y)
}

// drawMarked draws vertical lines at the marked values of X.
func (l lineChart) drawMarked(c draw.Canvas, p *plot.Plot, s theme.Style) {
	if l.Marked == nil {
		return
	}
	x, _ := p.Transforms(&c)
	for _, value := range l.Marked.X {
		if at := x(value); c.ContainsX(at) {
			c.StrokeLine2(s.Rule(), at, c.Min.Y, at, c.Max.Y)
		}
	}
}

func drawBand(c draw.Canvas, p *plot.Plot, fill color.NRGBA, series chart.Series) {
	if len(series.Lo) == 0 {
		return
	}
	edge := polyline(c, p, series.X, series.Hi)
	back := polyline(c, p, series.X, series.Lo)
	slices.Reverse(back)
	c.FillPolygon(fill, c.ClipPolygonXY(append(edge, back...)))
}

func drawTarget(c draw.Canvas, p *plot.Plot, line draw.LineStyle, value float64) {
	if _, y := p.Transforms(&c); c.ContainsY(y(value)) {
		c.StrokeLine2(line, c.Min.X, y(value), c.Max.X, y(value))
	}
}

// drawMarks draws marks with a rim of the page's colour, which separates them from lines and from each other.
func drawMarks(c draw.Canvas, s theme.Style, mark draw.GlyphStyle, at []vg.Point) {
	rim := mark
	rim.Color, rim.Radius = s.Background, mark.Radius*1.35
	for _, point := range at {
		if shape, ok := mark.Shape.(theme.Shape); ok && shape.Solid() {
			c.DrawGlyph(rim, point)
		}
		c.DrawGlyph(mark, point)
	}
}

// thinOut drops points of a long curve that are closer than distance to the last kept point.
func thinOut(points []vg.Point, distance vg.Length) []vg.Point {
	const many = 30
	if len(points) <= many {
		return points
	}
	kept := points[:1:1]
	for _, point := range points[1:] {
		if gap := point.Sub(kept[len(kept)-1]); gap.Dot(gap) >= distance*distance {
			kept = append(kept, point)
		}
	}
	return kept
}

func (l lineChart) legend() (all []entry) {
	printed := false
	for i, series := range l.Series {
		all = append(all, lineAndMark(series.Name, series.Role.Series(i), series.Broken))
		printed = printed || len(series.Printed) > 0
	}
	for i, target := range l.Targets {
		all = append(all, lineEntry(target.Name, func(s theme.Style) draw.LineStyle { return l.targetLine(s, i) }))
	}
	for i, guide := range l.Guides {
		all = append(all, targetEntry(guide.Name, len(l.Targets)+i))
	}
	if printed {
		all = append(all, printedEntry())
	}
	if l.Marked != nil {
		all = append(all, lineEntry(l.Marked.Name, theme.Style.Rule))
	}
	if l.Beyond != nil {
		all = append(all, areaEntry(l.Beyond.Name, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	return all
}
