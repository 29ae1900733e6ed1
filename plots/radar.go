package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type radar struct{ chart.Radar }

// web places values on the spokes.
type web struct {
	center vg.Point
	radius vg.Length // radius of the value 1
	spokes int
	rings  []plot.Tick // values with a ring
}

func (w web) at(spoke int, value float64) vg.Point {
	sin, cos := math.Sincos(2 * math.Pi * float64(spoke) / float64(w.spokes))
	r := w.radius * vg.Length(value)
	return vg.Point{X: w.center.X + r*vg.Length(sin), Y: w.center.Y + r*vg.Length(cos)}
}

// ring returns the closed outline through values that are all equal, or one for each spoke.
func (w web) ring(values ...float64) []vg.Point {
	points := make([]vg.Point, w.spokes+1)
	for i := range points {
		points[i] = w.at(i%w.spokes, values[i%w.spokes%len(values)])
	}
	return points
}

func (r radar) draw(c draw.Canvas, s theme.Style) {
	room := c.Size()
	w := web{center: c.Center(), spokes: len(r.Spokes)}
	// Names are written above, below and next to the outer ring.
	widest := vg.Length(0)
	for _, name := range r.Spokes {
		widest = max(widest, s.Label().Width(name))
	}
	lowest := vg.Length(math.Cos(2 * math.Pi * float64(len(r.Spokes)/2) / float64(len(r.Spokes))))
	radius := min((room.Y-s.Em*3.2)/(1-lowest), room.X/2-min(widest, room.X/4)-s.Em)
	w.radius = radius / vg.Length(r.Max)
	w.center.Y -= radius * (1 + lowest) / 2 // a triangle has less below its centre than above
	// values that fit between two spokes
	apart := float64(radius/(s.Em*1.6)) * math.Cos(math.Pi/float64(w.spokes))
	for _, ring := range (ticks{room: min(5, max(2, int(apart)))}).Ticks(0, r.Max) {
		if ring.Value > 0 && ring.Value < r.Max*.99 {
			w.rings = append(w.rings, ring)
		}
	}
	r.drawWeb(c, s, w)
	for i, series := range r.Series {
		c.FillPolygon(theme.Alpha(s.Color(i), .10), w.ring(series.Values...))
	}
	if r.Target != nil {
		c.StrokeLines(s.Target(0), w.ring(r.Target.Value))
	}
	for i, series := range r.Series {
		outline := w.ring(series.Values...)
		c.StrokeLines(s.Line(i), outline)
		drawMarks(c, s, s.Mark(i), outline[1:])
	}
	r.drawScale(c, s, w)
}

// drawScale writes the rings' values between the first two spokes, where outlines are farthest from each other.
func (r radar) drawScale(c draw.Canvas, s theme.Style, w web) {
	style := s.Tick()
	style.XAlign = draw.XCenter
	for _, ring := range w.rings {
		at := w.at(0, ring.Value).Add(w.at(1, ring.Value)).Scale(.5)
		half := vg.Point{X: style.Width(ring.Label)/2 + s.Em*.15, Y: s.Em * .5}
		c.SetColor(theme.Alpha(s.Background, .8))
		c.Fill(vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}.Path())
		write(c, style, at, ring.Label)
	}
}

// drawWeb draws the rings, the spokes and their names.
func (r radar) drawWeb(c draw.Canvas, s theme.Style, w web) {
	for _, ring := range w.rings {
		c.StrokeLines(s.GridLine(), w.ring(ring.Value))
	}
	if r.Target == nil || r.Target.Value < r.Max {
		c.StrokeLines(s.Rule(), w.ring(r.Max))
	}
	for i, name := range r.Spokes {
		tip := w.at(i, r.Max)
		c.StrokeLine2(s.GridLine(), w.center.X, w.center.Y, tip.X, tip.Y)
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(w.spokes))
		style := s.Label()
		style.XAlign = draw.XAlignment(-.5 + .5*sin)
		style.YAlign = draw.YAlignment(-.5 + .5*cos)
		c.FillText(style, tip.Add(vg.Point{X: s.Em * .6 * vg.Length(sin), Y: s.Em * .5 * vg.Length(cos)}), name)
	}
}

func (r radar) legend() (all []entry) {
	for i, series := range r.Series {
		all = append(all, seriesEntry(series.Name, i))
	}
	if r.Target != nil {
		all = append(all, targetEntry(r.Target.Name, 0))
	}
	return all
}
