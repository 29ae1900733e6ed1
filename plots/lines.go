package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Lines is a chart of series over a common quantity, with confidence bands. Broken lines show values to reach: targets
// if they are constant, guides if they vary with the quantity.
type Lines struct {
	Title   string   `json:"title"`
	Caption string   `json:"caption,omitempty"`
	X       Axis     `json:"x"`
	Y       Axis     `json:"y"`
	Series  []Series `json:"series"`
	Targets []Target `json:"targets,omitempty"`
	Guides  []Series `json:"guides,omitempty"`
	Beyond  *Target  `json:"beyond,omitempty"` // a value of X from which on the chart is shaded
	Marked  *Marked  `json:"marked,omitempty"` // values of X with a vertical line
}

// Marked holds values of X that are marked with vertical lines.
type Marked struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
}

// Series is one line of a chart.
type Series struct {
	Name    string     `json:"name"`
	Role    theme.Role `json:"role,omitzero"`    // role of the model; either all series have roles or none
	Broken  bool       `json:"broken,omitempty"` // for a second line with the same role
	X       []float64  `json:"x"`                // from left to right
	Y       []float64  `json:"y"`
	Lo      []float64  `json:"lo,omitempty"` // the band around Y; together with Hi, or both nil
	Hi      []float64  `json:"hi,omitempty"`
	Gaps    []float64  `json:"gaps,omitempty"`    // X without a value: the line is interrupted there
	Printed []Point    `json:"printed,omitempty"` // values that a paper prints
}

// Add appends a point at the right, or a gap if y is NaN. A point without an interval removes the band of the whole
// series.
func (s *Series) Add(x, y, lo, hi float64) {
	if math.IsNaN(y) {
		s.Gaps = append(s.Gaps, x)
		return
	}
	banded := len(s.Lo) == len(s.X)
	s.X, s.Y = append(s.X, x), append(s.Y, y)
	if banded && !math.IsNaN(lo) && !math.IsNaN(hi) {
		s.Lo, s.Hi = append(s.Lo, lo), append(s.Hi, hi)
	} else {
		s.Lo, s.Hi = nil, nil
	}
}

// pieces returns the parts of a series between gaps.
func (s Series) pieces() (all []Series) {
	start := 0
	for i := range s.X {
		broken := i+1 < len(s.X) && slices.ContainsFunc(s.Gaps, func(gap float64) bool {
			return gap > s.X[i] && gap < s.X[i+1]
		})
		if !broken && i+1 < len(s.X) {
			continue
		}
		piece := Series{X: s.X[start : i+1], Y: s.Y[start : i+1]}
		if len(s.Lo) > 0 {
			piece.Lo, piece.Hi = s.Lo[start:i+1], s.Hi[start:i+1]
		}
		all = append(all, piece)
		start = i + 1
	}
	return all
}

// Point is a place in a chart.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Target is a value to reach: a gold model's score, a nominal level.
type Target struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Series string  `json:"series,omitempty"` // the series whose colour it has
}

// Figure returns the chart as a figure.
func (l Lines) Figure() (*Figure, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	f := newFigure("Line chart", l.Title, l.Caption, l)
	printed := false
	for i, series := range l.Series {
		f.legend = append(f.legend, lineAndMark(series.Name, series.look(i), series.Broken))
		printed = printed || len(series.Printed) > 0
	}
	for i, target := range l.Targets {
		f.legend = append(f.legend, lineEntry(target.Name, func(s theme.Style) draw.LineStyle {
			return l.targetLine(s, i)
		}))
	}
	for i, guide := range l.Guides {
		f.legend = append(f.legend, targetEntry(guide.Name, len(l.Targets)+i))
	}
	if printed {
		f.legend = append(f.legend, printedEntry())
	}
	if l.Marked != nil {
		f.legend = append(f.legend, lineEntry(l.Marked.Name, theme.Style.Rule))
	}
	if l.Beyond != nil {
		f.legend = append(f.legend, areaEntry(l.Beyond.Name, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	f.body = l.draw
	return f, nil
}

// targetLine returns the line of a target, in the colour of its series if it names one.
func (l Lines) targetLine(s theme.Style, target int) draw.LineStyle {
	line := s.Target(target)
	for i, series := range l.Series {
		if name := l.Targets[target].Series; name != "" && name == series.Name {
			line.Color = s.Color(series.look(i))
		}
	}
	return line
}

// look returns the index of the series whose colour and mark it has.
func (s Series) look(place int) int { return s.Role.Series(place) }

// stroke returns the line style of a series.
func stroke(s theme.Style, look int, broken bool) draw.LineStyle {
	line := s.Line(look)
	if broken {
		line.Dashes = []vg.Length{s.Em * .45, s.Em * .35}
	}
	return line
}

func (l Lines) check() error {
	if err := filled("lines", len(l.Series)); err != nil {
		return err
	}
	for _, s := range l.all() {
		where := fmt.Sprintf("lines: series %q", s.Name)
		if err := firstError(
			filled(where, len(s.X)), filled(where, len(s.Y)), matching(where, "Y", len(s.X), len(s.Y)),
			optional(where, "Lo", len(s.X), len(s.Lo)), optional(where, "Hi", len(s.X), len(s.Hi)),
			finite(where+": gaps", s.Gaps...),
			matching(where, "Hi", len(s.Lo), len(s.Hi)),
			finite(where+": X", s.X...), finite(where+": Y", s.Y...), finite(where+": Lo", s.Lo...),
			finite(where+": Hi", s.Hi...),
		); err != nil {
			return err
		}
		if !slices.IsSorted(s.X) {
			return fmt.Errorf("%s: X does not run from left to right; sort the points", where)
		}
		for i := range s.Hi {
			if err := ordered(fmt.Sprintf("%s: band at %g", where, s.X[i]), s.Lo[i], s.Hi[i]); err != nil {
				return err
			}
		}
	}
	xs, ys := l.values()
	return firstError(finite("lines: printed and target values", append(xs, ys...)...), l.X.check("lines: x", xs),
		l.Y.check("lines: y", ys))
}

// all returns the series and the guides.
func (l Lines) all() []Series { return slices.Concat(l.Series, l.Guides) }

// values returns all numbers that the axes must include.
func (l Lines) values() (xs, ys []float64) {
	for _, s := range l.all() {
		xs = append(xs, s.X...)
		ys = slices.Concat(ys, s.Y, s.Lo, s.Hi)
		for _, p := range s.Printed {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	for _, t := range l.Targets {
		ys = append(ys, t.Value)
	}
	if l.Beyond != nil {
		xs = append(xs, l.Beyond.Value)
	}
	if l.Marked != nil {
		xs = append(xs, l.Marked.X...)
	}
	return xs, ys
}

func (l Lines) draw(c draw.Canvas, s theme.Style) {
	xs, ys := l.values()
	p := newPlot(c, s, l.X, l.Y, xs, ys)
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		l.drawBeyond(c, p, s)
		l.drawMarked(c, p, s)
		for i, series := range l.Series {
			for _, piece := range series.pieces() {
				drawBand(c, p, theme.Alpha(s.Color(series.look(i)), .16), piece)
			}
		}
		for i, target := range l.Targets {
			drawTarget(c, p, l.targetLine(s, i), target.Value)
		}
		for i, guide := range l.Guides {
			for _, piece := range guide.pieces() {
				c.StrokeLines(s.Target(len(l.Targets)+i), c.ClipLinesXY(polyline(c, p, piece.X, piece.Y))...)
			}
		}
		for i, series := range l.Series {
			for _, piece := range series.pieces() {
				c.StrokeLines(stroke(s, series.look(i), series.Broken),
					c.ClipLinesXY(polyline(c, p, piece.X, piece.Y))...)
			}
			drawMarks(c, s, s.Mark(series.look(i)), thinOut(polyline(c, p, series.X, series.Y), s.Em*1.6))
		}
		for _, series := range l.Series {
			for _, at := range series.Printed {
				drawMarks(c, s, s.Printed(), polyline(c, p, []float64{at.X}, []float64{at.Y}))
			}
		}
	}))
	p.Draw(c)
}

// drawBeyond shades the chart from a value of X on, and draws the grid over it.
func (l Lines) drawBeyond(c draw.Canvas, p *plot.Plot, s theme.Style) {
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

// drawMarked draws the vertical lines.
func (l Lines) drawMarked(c draw.Canvas, p *plot.Plot, s theme.Style) {
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

func drawBand(c draw.Canvas, p *plot.Plot, fill color.NRGBA, series Series) {
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

// thinOut drops points of a long curve that are closer to the last kept point than the distance.
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
