package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type histogram struct{ chart.Histogram }

func (h histogram) entry(sample chart.Sample, index int) entry {
	area := entry{sample.Name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		areaEntry("", func(s theme.Style) color.NRGBA {
			return theme.Alpha(s.Color(index), fillOpacity)
		}).sample(c, s, box)
		c.StrokeLine2(s.Line(index), box.Min.X, box.Max.Y-s.Em*.14, box.Max.X, box.Max.Y-s.Em*.14)
	}}
	if h.HideMean {
		return area
	}
	return entry{fmt.Sprintf("%s, mean %#.3g", sample.Name, mean(sample.Values)),
		func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
			area.sample(c, s, box)
			c.DrawGlyphNoClip(s.Mark(index), center(box))
		}}
}

// expectedEntry returns the legend entry of a level between two dotted bounds.
func expectedEntry(name string) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		middle, apart := center(box).Y, box.Size().Y*.35
		c.StrokeLine2(s.Target(1), box.Min.X, middle-apart, box.Max.X, middle-apart)
		c.StrokeLine2(s.Target(0), box.Min.X, middle, box.Max.X, middle)
		c.StrokeLine2(s.Target(1), box.Min.X, middle+apart, box.Max.X, middle+apart)
	}}
}

const fillOpacity = .32

// shares returns the fraction of values in each bin; the last bin includes its upper edge.
func shares(values, edges []float64) []float64 {
	bins := len(edges) - 1
	heights := make([]float64, bins)
	lo, hi := edges[0], edges[bins]
	for _, v := range values {
		i := min(bins-1, int((v-lo)/(hi-lo)*float64(bins)))
		heights[i] += 1 / float64(len(values))
	}
	return heights
}

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func (h histogram) draw(c draw.Canvas, s theme.Style) {
	edges := h.Edges()
	heights := make([][]float64, len(h.Samples))
	highest := 0.
	for i, sample := range h.Samples {
		heights[i] = shares(sample.Values, edges)
		highest = max(highest, slices.Max(heights[i]))
	}
	if h.Expected != nil {
		highest = max(highest, h.Expected.Hi)
	}
	x := chart.Axis{Label: h.X.Label, Min: edges[0], Max: edges[len(edges)-1]}
	p := newPlot(c, s, x, chart.Axis{Label: "share of values", Max: highest * 1.12}, nil, nil)
	p.Add(plotter(func(c draw.Canvas, p *plot.Plot) {
		for i := range h.Samples {
			steps := stairs(c, p, edges, heights[i])
			c.FillPolygon(theme.Alpha(s.Color(i), fillOpacity), steps)
			c.StrokeLines(s.Line(i), steps)
		}
		if e := h.Expected; e != nil {
			drawTarget(c, p, s.Target(0), e.Share)
			drawTarget(c, p, s.Target(1), e.Lo)
			drawTarget(c, p, s.Target(1), e.Hi)
		}
		for i, sample := range h.Samples {
			if !h.HideMean {
				at := polyline(c, p, []float64{mean(sample.Values), mean(sample.Values)}, []float64{0, highest * 1.06})
				c.StrokeLines(s.Line(i), at)
				drawMarks(c, s, s.Mark(i), at[1:])
			}
		}
	}))
	p.Draw(c)
}

// stairs returns the outline of adjacent bars.
func stairs(c draw.Canvas, p *plot.Plot, edges, heights []float64) []vg.Point {
	xs, ys := []float64{edges[0]}, []float64{0}
	for i, height := range heights {
		xs, ys = append(xs, edges[i], edges[i+1]), append(ys, height, height)
	}
	return polyline(c, p, append(xs, edges[len(edges)-1]), append(ys, 0))
}

func (h histogram) legend() (all []entry) {
	for i, sample := range h.Samples {
		all = append(all, h.entry(sample, i))
	}
	if e := h.Expected; e != nil {
		all = append(all, expectedEntry(e.Name))
	}
	return all
}
