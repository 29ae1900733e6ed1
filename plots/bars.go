package plots

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type barChart struct{ chart.Bars }

// span returns the vertical range: the data and 0, with a margin on the sides that have bars.
func (b barChart) span() chart.Axis {
	if b.Y.Fixed() {
		return b.Y
	}
	lo, hi := 0., 0.
	reach := func(values []float64) {
		for _, v := range values {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, s := range b.Series {
		reach(s.Values)
		reach(s.Lo)
		reach(s.Hi)
		reach(s.Printed)
	}
	for _, t := range b.Targets {
		reach([]float64{t.Value})
	}
	if lo == hi {
		hi = 1
	}
	const margin = 1.06
	return chart.Axis{Label: b.Y.Label, Min: lo * margin, Max: hi * margin}
}

func (b barChart) draw(c draw.Canvas, s theme.Style) {
	x := chart.Axis{Min: -.5, Max: float64(len(b.Groups)) - .5}
	p := newPlot(c, s, x, b.span(), nil, nil)
	b.nameGroups(&p.X, c.Size().X*.88/vg.Length(len(b.Groups)))
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		const filledShare = .78
		width := filledShare / float64(len(b.Series))
		for i, series := range b.Series {
			for group := range b.Groups {
				left := float64(group) - filledShare/2 + width*float64(i)
				b.drawBar(c, p, s, i, series, group, [2]float64{left, left + width*.94})
			}
		}
		_, y := p.Transforms(&c)
		c.StrokeLine2(s.Rule(), c.Min.X, y(0), c.Max.X, y(0))
		for i, target := range b.Targets {
			rim := s.Target(i)
			rim.Color, rim.Width = s.Background, rim.Width*3
			drawTarget(c, p, rim, target.Value)
			drawTarget(c, p, s.Target(i), target.Value)
		}
	}))
	p.Draw(c)
}

// nameGroups writes the groups' names. Names that do not fit next to each other are broken between words, or else
// rotated.
func (b barChart) nameGroups(axis *plot.Axis, room vg.Length) {
	const longest = 8 // longest rotated name, in letter heights
	style := axis.Tick.Label
	names, lines := make([][]string, len(b.Groups)), 0
	for i, name := range b.Groups {
		names[i] = wrap(name, style, room)
		lines = max(lines, len(names[i]))
		if style.Width(strings.Join(names[i], "\n")) > room {
			axis.Tick.Label.Rotation = math.Pi / 5
			axis.Tick.Label.XAlign = draw.XRight
		}
	}
	marks := make([]plot.Tick, len(names))
	for i, name := range b.Groups {
		// Shorter names get empty lines, so that all start at the same height.
		label := strings.Join(names[i], "\n") + strings.Repeat("\n ", lines-len(names[i]))
		if axis.Tick.Label.Rotation != 0 {
			label = shorten(name, style, longest*style.Font.Size)
		}
		marks[i] = plot.Tick{Value: float64(i), Label: label}
	}
	axis.Tick.Marker = plot.ConstantTicks(marks)
	axis.Tick.Length = 0
}

func (b barChart) drawBar(c draw.Canvas, p *plot.Plot, s theme.Style, index int, series chart.BarSeries, group int,
	between [2]float64) {
	value := series.Values[group]
	corners := polyline(c, p, between[:], []float64{min(0, value), max(0, value)})
	c.SetColor(s.Color(index))
	c.Fill(vg.Rectangle{Min: corners[0], Max: corners[1]}.Path())
	// A printed value is drawn next to the interval, not on it.
	width := between[1] - between[0]
	middle, aside := between[0]+width*.5, between[0]+width*.5
	if len(series.Lo) > 0 && len(series.Printed) > 0 {
		middle, aside = between[0]+width*.3, between[0]+width*.7
	}
	if len(series.Lo) > 0 {
		ends := polyline(c, p, []float64{middle, middle}, []float64{series.Lo[group], series.Hi[group]})
		c.StrokeLines(draw.LineStyle{Color: s.Background, Width: s.Em * .3}, ends)
		c.StrokeLines(draw.LineStyle{Color: s.Ink, Width: s.Em * .12}, ends)
	}
	if len(series.Printed) > 0 {
		at := polyline(c, p, []float64{aside}, []float64{series.Printed[group]})
		c.DrawGlyph(draw.GlyphStyle{Color: s.Background, Radius: s.Em * .5, Shape: theme.Diamond}, at[0])
		c.DrawGlyph(s.Printed(), at[0])
	}
}

func (b barChart) legend() (all []entry) {
	printed := false
	for i, series := range b.Series {
		all = append(all, areaEntry(series.Name, func(s theme.Style) color.NRGBA { return s.Color(i) }))
		printed = printed || len(series.Printed) > 0
	}
	for i, target := range b.Targets {
		all = append(all, targetEntry(target.Name, i))
	}
	if printed {
		all = append(all, printedEntry())
	}
	return all
}
