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

// Histogram shows the distributions of one sample, or of two or three overlapping ones, each with its mean.
type Histogram struct {
	Title    string    `json:"title"`
	Caption  string    `json:"caption,omitempty"`
	X        Axis      `json:"x"` // a fixed range must contain all values
	Samples  []Sample  `json:"samples"`
	Bins     int       `json:"bins,omitempty"`     // 0: the square root of the largest sample's size, at most 40
	Expected *Expected `json:"expected,omitempty"` // the fraction in each bin under a hypothesis
	HideMean bool      `json:"hide_mean,omitempty"`
}

// Sample is a named list of values.
type Sample struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// Expected is the expected fraction of values in each bin, with the range that sampling allows.
type Expected struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Figure returns the chart as a figure.
func (h Histogram) Figure() (*Figure, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	f := newFigure("Histogram", h.Title, h.Caption, h)
	for i, sample := range h.Samples {
		f.legend = append(f.legend, h.entry(sample, i))
	}
	if e := h.Expected; e != nil {
		f.legend = append(f.legend, expectedEntry(e.Name))
	}
	f.body = h.draw
	return f, nil
}

func (h Histogram) entry(sample Sample, index int) entry {
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

func (h Histogram) check() error {
	const most = 3 // more overlapping outlines cannot be distinguished
	if err := filled("histogram", len(h.Samples)); err != nil {
		return err
	}
	if len(h.Samples) > most {
		return fmt.Errorf("histogram: %d samples over each other; give at most %d, or panels", len(h.Samples), most)
	}
	if h.Bins < 0 || h.Bins > 200 {
		return fmt.Errorf("histogram: %d bins; use 1 to 200, or 0 for a choice by the sample's size", h.Bins)
	}
	if h.X.Log {
		return fmt.Errorf("histogram: bins are of equal width; take logarithms before")
	}
	for _, s := range h.Samples {
		where := fmt.Sprintf("histogram: sample %q", s.Name)
		if err := firstError(filled(where, len(s.Values)), finite(where, s.Values...),
			h.X.check("histogram: x", s.Values)); err != nil {
			return err
		}
		if lo, hi := slices.Min(s.Values), slices.Max(s.Values); h.X.fixed() && (lo < h.X.Min || hi > h.X.Max) {
			return fmt.Errorf("%s: values from %g to %g on an axis from %g to %g; widen the axis", where, lo, hi,
				h.X.Min, h.X.Max)
		}
	}
	if e := h.Expected; e != nil {
		return firstError(finite("histogram: expected share", e.Share, e.Lo, e.Hi),
			ordered("histogram: expected share", e.Lo, e.Hi))
	}
	return nil
}

// edges returns the common bin edges of the samples.
func (h Histogram) edges() []float64 {
	lo, hi, largest := math.Inf(1), math.Inf(-1), 0
	for _, s := range h.Samples {
		lo, hi, largest = min(lo, slices.Min(s.Values)), max(hi, slices.Max(s.Values)), max(largest, len(s.Values))
	}
	if h.X.fixed() {
		lo, hi = h.X.Min, h.X.Max
	}
	if lo == hi {
		lo, hi = lo-.5, hi+.5
	}
	lo, hi = widened(lo, hi)
	bins := h.Bins
	if bins == 0 {
		bins = min(40, max(5, int(math.Sqrt(float64(largest)))))
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = lo + (hi-lo)*float64(i)/float64(bins)
	}
	return edges
}

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

func (h Histogram) draw(c draw.Canvas, s theme.Style) {
	edges := h.edges()
	heights := make([][]float64, len(h.Samples))
	highest := 0.
	for i, sample := range h.Samples {
		heights[i] = shares(sample.Values, edges)
		highest = max(highest, slices.Max(heights[i]))
	}
	if h.Expected != nil {
		highest = max(highest, h.Expected.Hi)
	}
	x := Axis{Label: h.X.Label, Min: edges[0], Max: edges[len(edges)-1]}
	p := newPlot(c, s, x, Axis{Label: "share of values", Max: highest * 1.12}, nil, nil)
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
