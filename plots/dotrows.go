package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// DotRows shows many values on each of several named lines as dots, with the series below each other. It can also show
// a target region, and broken lines for reference values.
type DotRows struct {
	Title   string      `json:"title"`
	Caption string      `json:"caption,omitempty"`
	X       Axis        `json:"x"`
	Lines   []string    `json:"lines"`
	Series  []DotSeries `json:"series"`
	Region  *Region     `json:"region,omitempty"`
	Targets []Target    `json:"targets,omitempty"`
	Spread  bool        `json:"spread,omitempty"` // dots that would overlap are moved up and down
}

// DotSeries is a set of dots with one colour and shape.
type DotSeries struct {
	Name string `json:"name"`
	Dots []Dot  `json:"dots"`
}

// Dot is one value.
type Dot struct {
	Line  int     `json:"line"` // from 0
	Value float64 `json:"value"`
	Name  string  `json:"name,omitempty"` // written next to the dot if there is room; earlier dots have priority
}

func (d DotRows) check() error {
	if err := firstError(filled("dot rows: lines", len(d.Lines)), filled("dot rows", len(d.Series))); err != nil {
		return err
	}
	for _, series := range d.Series {
		for _, dot := range series.Dots {
			if dot.Line < 0 || dot.Line >= len(d.Lines) {
				return fmt.Errorf("dot rows: %s: a dot on line %d of %d; lines count from 0", series.Name, dot.Line,
					len(d.Lines))
			}
			if err := finite(fmt.Sprintf("dot rows: %s, %s", series.Name, d.Lines[dot.Line]), dot.Value); err != nil {
				return err
			}
		}
	}
	if r := d.Region; r != nil {
		if err := firstError(finite("dot rows: region", r.Lo, r.Hi),
			ordered("dot rows: region", r.Lo, r.Hi)); err != nil {
			return err
		}
	}
	for _, target := range d.Targets {
		if err := finite("dot rows: target", target.Value); err != nil {
			return err
		}
	}
	if len(d.values()) == len(d.Targets) {
		return filled("dot rows", 0)
	}
	if err := d.X.check("x", d.values()); err != nil {
		return fmt.Errorf("dot rows: %w", err)
	}
	return nil
}

// values returns all values that the axis must include.
func (d DotRows) values() []float64 {
	var all []float64
	if d.Region != nil {
		all = append(all, d.Region.Lo, d.Region.Hi)
	}
	for _, target := range d.Targets {
		all = append(all, target.Value)
	}
	for _, series := range d.Series {
		for _, dot := range series.Dots {
			all = append(all, dot.Value)
		}
	}
	return all
}

// Figure returns the chart as a figure. Its height depends on the number of lines.
func (d DotRows) Figure() (*Figure, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	f := newFigure("Dot plot", d.Title, d.Caption, d)
	f.Height = max(defaultHeight/2, 1.4+.46*float64(len(d.Lines)))
	for i, series := range d.Series {
		f.legend = append(f.legend, markEntry(series.Name, func(s theme.Style) draw.GlyphStyle { return s.Mark(i) }))
	}
	if d.Region != nil {
		f.legend = append(f.legend, areaEntry(d.Region.Name, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	for i, target := range d.Targets {
		f.legend = append(f.legend, targetEntry(target.Name, i))
	}
	f.body = d.draw
	return f, nil
}

// offset returns the vertical offset of a series' dots from the middle of their line: below the names, and below
// earlier series with dots on the line. A single series is placed on the line.
func (d DotRows) offset(series, line int) float64 {
	const spread, middle = .68, -.11
	before, n := 0., 0.
	for i, other := range d.Series {
		if slices.ContainsFunc(other.Dots, func(dot Dot) bool { return dot.Line == line }) {
			n++
			if i < series {
				before++
			}
		}
	}
	if n == 1 {
		return 0
	}
	return (before-(n-1)/2)*spread/n + middle
}

func (d DotRows) draw(c draw.Canvas, s theme.Style) {
	rows := make([]rowName, len(d.Lines))
	for i, line := range d.Lines {
		rows[i] = rowName{text: line}
	}
	drawRows(c, s, d.X, d.values(), rows, func(c draw.Canvas, p *plot.Plot) {
		if d.Region != nil {
			drawRegion(c, p, s.Region, *d.Region)
		}
		x, _ := p.Transforms(&c)
		for i, target := range d.Targets {
			c.StrokeLine2(s.Target(i), x(target.Value), c.Min.Y, x(target.Value), c.Max.Y)
		}
		names := labels{canvas: c, style: s.Note(), gap: s.Em * .55, leader: s.Rule()}
		for i, series := range d.Series {
			mark := s.Mark(i)
			mark.Radius *= .85
			var taken dots
			for _, dot := range series.Dots {
				at := polyline(c, p, []float64{dot.Value}, []float64{float64(dot.Line) + d.offset(i, dot.Line)})
				if d.Spread {
					at[0] = taken.freePlace(at[0], mark.Radius*2)
					drawMarks(c, s, mark, at)
				} else { // rims of overlapping dots would look like brackets
					c.DrawGlyph(mark, at[0])
				}
				names.add(dot.Name, at[0])
			}
		}
		names.draw()
	})
}

// dots holds the positions of a series' dots.
type dots []vg.Point

// freePlace returns the place for a dot: its own, or the nearest free one above or below. If too many dots coincide,
// the last ones overlap.
func (d *dots) freePlace(at vg.Point, apart vg.Length) vg.Point {
	place := at
	for _, lane := range []vg.Length{0, 1, -1, 2, -2} {
		place = vg.Point{X: at.X, Y: at.Y + lane*apart*.9}
		if !slices.ContainsFunc(*d, func(other vg.Point) bool {
			gap := other.Sub(place)
			return gap.Dot(gap) < apart*apart*.75
		}) {
			break
		}
	}
	*d = append(*d, place)
	return place
}
