package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Scatter shows points by two scores. If both scores have a better direction, it draws the Pareto front.
type Scatter struct {
	Title   string       `json:"title"`
	Caption string       `json:"caption,omitempty"`
	X       Axis         `json:"x"`
	Y       Axis         `json:"y"`
	BetterX Better       `json:"better_x"`
	BetterY Better       `json:"better_y"`
	Groups  []PointGroup `json:"groups"`
}

// PointGroup is a set of points with the same mark.
type PointGroup struct {
	Name   string       `json:"name"`
	Points []NamedPoint `json:"points"`
}

// NamedPoint is a point, with a name next to it if it has one.
type NamedPoint struct {
	Name string  `json:"name,omitempty"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// Better is the direction in which a score improves.
type Better uint8

// The directions in which a score improves.
const (
	Unranked Better = iota
	Higher
	Lower
)

// MarshalText writes a direction into JSON as a word.
func (b Better) MarshalText() ([]byte, error) {
	return []byte([...]string{"unranked", "higher", "lower"}[b]), nil
}

// Figure returns the chart as a figure.
func (sc Scatter) Figure() (*Figure, error) {
	if err := sc.check(); err != nil {
		return nil, err
	}
	f := newFigure("Scatter plot", sc.Title, sc.Caption, sc)
	for i, g := range sc.Groups {
		if g.Name != "" {
			f.legend = append(f.legend, markEntry(g.Name, func(s theme.Style) draw.GlyphStyle { return s.Mark(i) }))
		}
	}
	if sc.ranked() {
		f.legend = append(f.legend, lineEntry("Pareto front", frontLine))
	}
	f.body = sc.draw
	return f, nil
}

func frontLine(s theme.Style) draw.LineStyle {
	return draw.LineStyle{Color: s.Muted, Width: s.Em * .12}
}

func (sc Scatter) ranked() bool { return sc.BetterX != Unranked && sc.BetterY != Unranked }

func (sc Scatter) check() error {
	if err := filled("scatter", len(sc.points())); err != nil {
		return err
	}
	if (sc.BetterX == Unranked) != (sc.BetterY == Unranked) {
		return fmt.Errorf("scatter: one score has a better direction and the other has none; a front needs both")
	}
	var xs, ys []float64
	for _, p := range sc.points() {
		if err := finite(fmt.Sprintf("scatter: point %q", p.Name), p.X, p.Y); err != nil {
			return err
		}
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	return firstError(sc.X.check("scatter: x", xs), sc.Y.check("scatter: y", ys))
}

func (sc Scatter) points() []NamedPoint {
	var all []NamedPoint
	for _, g := range sc.Groups {
		all = append(all, g.Points...)
	}
	return all
}

// Front returns, ordered by X, the points that no other point beats in one score without losing in the other. It is
// empty if a score has no direction.
func (sc Scatter) Front() []NamedPoint {
	if !sc.ranked() {
		return nil
	}
	var front []NamedPoint
	for _, p := range sc.points() {
		if !slices.ContainsFunc(sc.points(), func(q NamedPoint) bool { return sc.dominates(q, p) }) {
			front = append(front, p)
		}
	}
	slices.SortStableFunc(front, func(a, b NamedPoint) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	return front
}

// dominates reports whether q is not worse than p in any score and better in at least one.
func (sc Scatter) dominates(q, p NamedPoint) bool {
	x, y := sc.BetterX.gain(p.X, q.X), sc.BetterY.gain(p.Y, q.Y)
	return x >= 0 && y >= 0 && x+y > 0
}

func (b Better) gain(from, to float64) float64 {
	if b == Lower {
		return from - to
	}
	return to - from
}

func (sc Scatter) draw(c draw.Canvas, s theme.Style) {
	var xs, ys []float64
	for _, p := range sc.points() {
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
func (sc Scatter) steps(c draw.Canvas, p *plot.Plot) []vg.Point {
	var xs, ys []float64
	for i, point := range sc.Front() {
		if i > 0 {
			// Between two points the front guarantees only the worse of both scores.
			previous := sc.Front()[i-1]
			if sc.BetterX == Higher {
				xs, ys = append(xs, previous.X), append(ys, point.Y)
			} else {
				xs, ys = append(xs, point.X), append(ys, previous.Y)
			}
		}
		xs, ys = append(xs, point.X), append(ys, point.Y)
	}
	return polyline(c, p, xs, ys)
}
