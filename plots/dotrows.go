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

type dotRows struct{ chart.DotRows }

// offset returns the vertical offset of a series' dots from the middle of their line: below the names, and below
// earlier series with dots on the line. A single series is placed on the line.
func (d dotRows) offset(series, line int) float64 {
	const spread, middle = .68, -.11
	before, n := 0., 0.
	for i, other := range d.Series {
		if slices.ContainsFunc(other.Dots, func(dot chart.Dot) bool { return dot.Line == line }) {
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

func (d dotRows) draw(c draw.Canvas, s theme.Style) {
	rows := make([]rowName, len(d.Lines))
	for i, line := range d.Lines {
		rows[i] = rowName{text: line}
	}
	drawRows(c, s, d.X, d.Values(), rows, func(c draw.Canvas, p *plot.Plot) {
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

// freePlace returns a dot's position: its own, or the nearest free one above or below. If too many dots coincide, the
// last ones overlap.
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

func (d dotRows) legend() (all []entry) {
	for i, series := range d.Series {
		all = append(all, markEntry(series.Name, func(s theme.Style) draw.GlyphStyle { return s.Mark(i) }))
	}
	if d.Region != nil {
		all = append(all, areaEntry(d.Region.Name, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	for i, target := range d.Targets {
		all = append(all, targetEntry(target.Name, i))
	}
	return all
}
