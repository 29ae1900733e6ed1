package plots

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type dotWhisker struct{ chart.DotWhisker }

func (d dotWhisker) legend() []entry {
	var entries []entry
	for _, v := range chart.Verdicts {
		if slices.ContainsFunc(d.Rows, func(r chart.Estimate) bool { return r.Verdict == v }) {
			entries = append(entries, markEntry(cmp.Or(d.Words[v], v.String()), func(s theme.Style) draw.GlyphStyle {
				return s.Verdict(v)
			}))
		}
	}
	if slices.ContainsFunc(d.Rows, func(r chart.Estimate) bool { return r.Printed != nil }) {
		entries = append(entries, printedEntry())
	}
	if d.Target != nil {
		entries = append(entries, targetEntry(d.Target.Name, 0))
	}
	if d.Region != nil {
		entries = append(entries, areaEntry(d.Region.Name, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	return entries
}

func (d dotWhisker) draw(c draw.Canvas, s theme.Style) {
	lines := d.Lines()
	rows := make([]rowName, len(lines))
	for i, row := range lines {
		if row >= 0 {
			rows[i] = rowName{text: d.Rows[row].Name}
		} else {
			rows[i] = rowName{text: d.Rows[lines[i+1]].Group, heading: true}
		}
	}
	drawRows(c, s, d.X, d.Values(), rows, func(c draw.Canvas, p *plot.Plot) {
		if d.Region != nil {
			drawRegion(c, p, s.Region, *d.Region)
		}
		x, y := p.Transforms(&c)
		if d.Target != nil {
			c.StrokeLine2(s.Target(0), x(d.Target.Value), c.Min.Y, x(d.Target.Value), c.Max.Y)
		}
		for i, row := range lines {
			if row >= 0 {
				drawEstimate(c, p, s, d.Rows[row], y(float64(i)))
			}
		}
	})
}

func drawEstimate(c draw.Canvas, p *plot.Plot, s theme.Style, r chart.Estimate, at vg.Length) {
	x, _ := p.Transforms(&c)
	mark := s.Verdict(r.Verdict)
	whisker := draw.LineStyle{Color: mark.Color, Width: s.Em * .14}
	c.StrokeLines(whisker, c.ClipLinesX([]vg.Point{{X: x(r.Lo), Y: at}, {X: x(r.Hi), Y: at}})...)
	if r.Printed != nil {
		drawMarks(c, s, s.Printed(), []vg.Point{{X: x(*r.Printed), Y: at}})
	}
	if mark.Shape == theme.Ring {
		c.DrawGlyph(draw.GlyphStyle{Color: s.Background, Radius: mark.Radius, Shape: theme.Disc},
			vg.Point{X: x(r.Value), Y: at})
	}
	c.DrawGlyph(mark, vg.Point{X: x(r.Value), Y: at})
}
