package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// plotter is a function that draws data on a pair of axes.
type plotter func(draw.Canvas, *plot.Plot)

// Plot implements gonum/plot's Plotter.
func (p plotter) Plot(c draw.Canvas, on *plot.Plot) { p(c, on) }

// newPlot returns a pair of axes in the figure's style with a grid, ready for plotters. The size of the canvas limits
// the number of labels.
func newPlot(c draw.Canvas, s theme.Style, x, y chart.Axis, xs, ys []float64) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max = x.Span(xs)
	p.Y.Min, p.Y.Max = y.Span(ys)
	dress(&p.X, s, x)
	dress(&p.Y, s, y)
	if room := c.Size().X - s.Em*3; p.X.Label.TextStyle.Width(x.Label) > c.Size().X { // beside the vertical axis
		p.X.Label.Text = strings.Join(wrap(x.Label, p.X.Label.TextStyle, room), "\n")
	}
	p.X.Tick.Marker = fitting(ticks{log: x.Log}, &p.X, c.Size().X-s.Em*4, func(label string) vg.Length {
		return p.X.Tick.Label.Width(label) + s.Em*1.2
	})
	p.Y.Tick.Marker = fitting(ticks{log: y.Log}, &p.Y, c.Size().Y-s.Em*3, func(string) vg.Length { return s.Em * 2.4 })
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) { drawGrid(c, p, s) }))
	return p
}

func dress(axis *plot.Axis, s theme.Style, from chart.Axis) {
	axis.Padding = 0
	axis.LineStyle = s.Rule()
	axis.Label.Text = from.Label
	align := axis.Label.TextStyle
	axis.Label.TextStyle = s.Label()
	axis.Label.TextStyle.XAlign, axis.Label.TextStyle.YAlign = align.XAlign, align.YAlign
	axis.Label.Padding = s.Em * .35
	align = axis.Tick.Label
	axis.Tick.Label = s.Tick()
	axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = align.XAlign, align.YAlign
	axis.Tick.LineStyle = s.Rule()
	axis.Tick.Length = s.Em * .35
	if from.Log {
		axis.Scale = plot.LogScale{}
	}
}

// fitting returns the ticks with the most labels that fit next to each other, at most 8.
func fitting(t ticks, axis *plot.Axis, room vg.Length, size func(label string) vg.Length) ticks {
	const most, least = 8, 2
	for t.room = most; t.room > least; t.room-- {
		taken := vg.Length(0)
		for _, mark := range t.Ticks(axis.Min, axis.Max) {
			if !mark.IsMinor() {
				taken += size(mark.Label)
			}
		}
		if taken <= room {
			break
		}
	}
	return t
}

func drawGrid(c draw.Canvas, p *plot.Plot, s theme.Style) {
	x, y := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(t.Value); !t.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(s.GridLine(), at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := y(t.Value); !t.IsMinor() && c.ContainsY(at) {
			c.StrokeLine2(s.GridLine(), c.Min.X, at, c.Max.X, at)
		}
	}
}

// ticks places round values, at most room of them with labels.
type ticks struct {
	room int
	log  bool
}

// Ticks implements gonum/plot's Ticker.
func (t ticks) Ticks(lo, hi float64) []plot.Tick {
	if t.log {
		return t.logarithmic(lo, hi)
	}
	step, decimals := roundStep((hi - lo) / float64(t.room))
	var marks []plot.Tick
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: tickLabel(i*step, decimals)})
	}
	return marks
}

// roundStep returns the smallest of 1, 2, 2.5, 5 times a power of ten that is not below the given step, and the number
// of decimals that distinguishes its multiples.
func roundStep(least float64) (step float64, decimals int) {
	power := math.Floor(math.Log10(least))
	unit := math.Pow(10, power)
	decimals = max(0, -int(power))
	for _, factor := range []float64{1, 2, 2.5, 5} {
		if factor*unit >= least*(1-1e-9) {
			if factor == 2.5 {
				decimals = max(0, 1-int(power))
			}
			return factor * unit, decimals
		}
	}
	return 10 * unit, max(0, -int(power)-1)
}

func (t ticks) logarithmic(lo, hi float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	decades := math.Log10(hi / lo)
	every := max(1, int(math.Ceil(decades/float64(t.room))))
	within := func(value float64) bool { return value >= lo*(1-1e-9) && value <= hi*(1+1e-9) }
	plain := true // all labels of an axis have the same form
	for exponent := first; exponent <= last; exponent++ {
		plain = plain && (!within(math.Pow(10, float64(exponent))) || exponent >= -3 && exponent <= 4)
	}
	var marks []plot.Tick
	for exponent := first; exponent <= last; exponent++ {
		for digit := 1; digit <= 9; digit++ {
			value := float64(digit) * math.Pow(10, float64(exponent))
			labelled := digit == 1 && exponent%every == 0 || decades < 1.6 && (digit == 2 || digit == 5)
			mark := plot.Tick{Value: value}
			if labelled {
				mark.Label = powerLabel(digit, exponent, plain && exponent >= -3 && exponent <= 4)
			}
			if within(value) {
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

func powerLabel(digit, exponent int, plain bool) string {
	if plain {
		return tickLabel(float64(digit)*math.Pow(10, float64(exponent)), max(0, -exponent))
	}
	return minus(fmt.Sprintf("%de%d", digit, exponent))
}

func tickLabel(value float64, decimals int) string {
	label := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Trim(label, "-0.") == "" {
		return strings.TrimPrefix(label, "-")
	}
	return minus(label)
}

// minus replaces hyphens in numbers with minus signs.
func minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// polyline maps data to points of the canvas.
func polyline(c draw.Canvas, p *plot.Plot, xs, ys []float64) []vg.Point {
	x, y := p.Transforms(&c)
	points := make([]vg.Point, len(xs))
	for i := range xs {
		points[i] = vg.Point{X: x(xs[i]), Y: y(ys[i])}
	}
	return points
}
