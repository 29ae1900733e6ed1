package plots

import (
	"fmt"
	"image/color"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Ranges shows the possible values of quantities as bands, one per line, and below them observed values as needles with
// heights proportional to their frequencies.
type Ranges struct {
	Title   string      `json:"title"`
	Caption string      `json:"caption,omitempty"`
	X       Axis        `json:"x"`
	Lines   []RangeLine `json:"lines"`
	Behind  string      `json:"behind,omitempty"` // the legend of the bands behind needles
}

// RangeLine is one line of [Ranges]: a heading, a band, or needles.
type RangeLine struct {
	Name    string    `json:"name"`
	Heading bool      `json:"heading,omitempty"` // heading for the lines below it
	Band    *Region   `json:"band,omitempty"`
	Depth   float64   `json:"depth,omitempty"` // strength of the band's colour, up to 1
	Needles []float64 `json:"needles,omitempty"`
	Behind  *Region   `json:"behind,omitempty"` // a band of the lines above, repeated behind the needles
	Series  int       `json:"series,omitempty"` // the series whose colour the needles have
}

func (r Ranges) check() error {
	if err := filled("ranges", len(r.Lines)); err != nil {
		return err
	}
	for _, line := range r.Lines {
		where := fmt.Sprintf("ranges: %q", line.Name)
		if err := finite(where, line.Needles...); err != nil {
			return err
		}
		for _, band := range []*Region{line.Band, line.Behind} {
			if band == nil {
				continue
			}
			if err := firstError(finite(where, band.Lo, band.Hi), ordered(where, band.Lo, band.Hi)); err != nil {
				return err
			}
		}
	}
	if len(r.values()) == 0 {
		return filled("ranges", 0)
	}
	if err := r.X.check("x", r.values()); err != nil {
		return fmt.Errorf("ranges: %w", err)
	}
	return nil
}

// values returns all values that the axis must include.
func (r Ranges) values() []float64 {
	var all []float64
	for _, line := range r.Lines {
		if line.Band != nil {
			all = append(all, line.Band.Lo, line.Band.Hi)
		}
		all = append(all, line.Needles...)
	}
	return all
}

// Figure returns the chart as a figure. Its height depends on the number of lines.
func (r Ranges) Figure() (*Figure, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	f := newFigure("Ranges and dots", r.Title, r.Caption, r)
	f.Height = max(defaultHeight/2, .4*float64(len(r.Lines)))
	if r.Behind != "" {
		f.legend = append(f.legend, areaEntry(r.Behind, func(s theme.Style) color.NRGBA { return s.Region }))
	}
	f.body = r.draw
	return f, nil
}

func (r Ranges) draw(c draw.Canvas, s theme.Style) {
	rows := make([]rowName, len(r.Lines))
	for i, line := range r.Lines {
		rows[i] = rowName{line.Name, line.Heading}
	}
	drawRows(c, s, r.X, r.values(), rows, func(c draw.Canvas, p *plot.Plot) {
		for i, line := range r.Lines {
			if line.Band != nil {
				c.SetColor(theme.Alpha(s.Color(0), line.Depth))
				c.Fill(lineBox(c, p, *line.Band, i, .3).Path())
			}
			if line.Behind != nil {
				c.SetColor(s.Region)
				c.Fill(lineBox(c, p, *line.Behind, i, .5).Path())
			}
			line.drawNeedles(c, p, s, i)
		}
	})
}

// lineBox returns the rectangle of a line's band, which extends by half above and below the middle.
func lineBox(c draw.Canvas, p *plot.Plot, r Region, line int, half float64) vg.Rectangle {
	corners := polyline(c, p, []float64{r.Lo, r.Hi}, []float64{float64(line) + half, float64(line) - half})
	return vg.Rectangle{Min: corners[0], Max: corners[1]}
}

// drawNeedles draws a needle at each value; the highest is at the most frequent value.
func (l RangeLine) drawNeedles(c draw.Canvas, p *plot.Plot, s theme.Style, line int) {
	counts := map[float64]int{}
	most := 0
	for _, value := range l.Needles {
		counts[value]++
		most = max(most, counts[value])
	}
	needle := draw.LineStyle{Color: s.Color(l.Series), Width: s.Em * .11}
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		foot := float64(line) + .45
		c.StrokeLines(needle, polyline(c, p, []float64{value, value},
			[]float64{foot, foot - .9*float64(counts[value])/float64(most)}))
	}
}
