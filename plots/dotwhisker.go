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

// DotWhisker shows estimates with their intervals, one per row. The shape and colour of a mark show the verdict.
type DotWhisker struct {
	Title   string     `json:"title"`
	Caption string     `json:"caption,omitempty"`
	X       Axis       `json:"x"`
	Rows    []Estimate `json:"rows"` // from top to bottom
	Target  *Target    `json:"target,omitempty"`
	Region  *Region    `json:"region,omitempty"` // the values that count as equal to the target
}

// Estimate is a number with its interval.
type Estimate struct {
	Name    string        `json:"name"`
	Group   string        `json:"group,omitempty"` // rows of a group are listed together under its name
	Value   float64       `json:"value"`
	Lo      float64       `json:"lo"`
	Hi      float64       `json:"hi"`
	Verdict theme.Verdict `json:"verdict"`
	Printed *float64      `json:"printed,omitempty"` // the value that the paper prints
}

// Region is a range of values with a name.
type Region struct {
	Name string  `json:"name"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

// Figure returns the chart as a figure. Its height depends on the number of rows.
func (d DotWhisker) Figure() (*Figure, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	f := newFigure("Dots with intervals", d.Title, d.Caption, d)
	f.Height = max(defaultHeight/2, 1.3+.27*float64(len(d.lines())))
	f.legend = d.entries()
	f.body = d.draw
	return f, nil
}

func (d DotWhisker) check() error {
	if err := filled("dots", len(d.Rows)); err != nil {
		return err
	}
	for _, r := range d.Rows {
		where := fmt.Sprintf("dots: row %q", r.Name)
		if err := firstError(finite(where, r.Value, r.Lo, r.Hi), ordered(where, r.Lo, r.Hi)); err != nil {
			return err
		}
		if r.Printed != nil {
			if err := finite(where+": printed value", *r.Printed); err != nil {
				return err
			}
		}
	}
	if d.Target != nil {
		if err := finite("dots: target", d.Target.Value); err != nil {
			return err
		}
	}
	if r := d.Region; r != nil {
		if err := firstError(finite("dots: region", r.Lo, r.Hi), ordered("dots: region", r.Lo, r.Hi)); err != nil {
			return err
		}
	}
	return d.X.check("dots: x", d.values())
}

func (d DotWhisker) values() []float64 {
	var values []float64
	for _, r := range d.Rows {
		values = append(values, r.Value, r.Lo, r.Hi)
		if r.Printed != nil {
			values = append(values, *r.Printed)
		}
	}
	if d.Target != nil {
		values = append(values, d.Target.Value)
	}
	if d.Region != nil {
		values = append(values, d.Region.Lo, d.Region.Hi)
	}
	return values
}

func (d DotWhisker) entries() []entry {
	var entries []entry
	for _, v := range theme.Verdicts {
		if slices.ContainsFunc(d.Rows, func(r Estimate) bool { return r.Verdict == v }) {
			entries = append(entries, markEntry(v.String(), func(s theme.Style) draw.GlyphStyle {
				return s.Verdict(v)
			}))
		}
	}
	if slices.ContainsFunc(d.Rows, func(r Estimate) bool { return r.Printed != nil }) {
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

// lines returns the content of each line of the chart: an index of Rows, or -1 for the heading of a group.
func (d DotWhisker) lines() []int {
	var lines []int
	group := ""
	for i, r := range d.Rows {
		if r.Group != group {
			lines = append(lines, -1)
			group = r.Group
		}
		lines = append(lines, i)
	}
	return lines
}

func (d DotWhisker) draw(c draw.Canvas, s theme.Style) {
	lines := d.lines()
	rows := make([]rowName, len(lines))
	for i, row := range lines {
		if row >= 0 {
			rows[i] = rowName{text: d.Rows[row].Name}
		} else {
			rows[i] = rowName{text: d.Rows[lines[i+1]].Group, heading: true}
		}
	}
	drawRows(c, s, d.X, d.values(), rows, func(c draw.Canvas, p *plot.Plot) {
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

func drawEstimate(c draw.Canvas, p *plot.Plot, s theme.Style, r Estimate, at vg.Length) {
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
