package plots

import (
	"image/color"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type ranges struct{ chart.Ranges }

func (r ranges) draw(c draw.Canvas, s theme.Style) {
	rows := make([]rowName, len(r.Lines))
	for i, line := range r.Lines {
		rows[i] = rowName{line.Name, line.Heading}
	}
	drawRows(c, s, r.X, r.Values(), rows, func(c draw.Canvas, p *plot.Plot) {
		for i, line := range r.Lines {
			if line.Band != nil {
				c.SetColor(theme.Alpha(s.Color(0), line.Depth))
				c.Fill(lineBox(c, p, *line.Band, i, .3).Path())
			}
			if line.Behind != nil {
				c.SetColor(s.Region)
				c.Fill(lineBox(c, p, *line.Behind, i, .5).Path())
			}
			drawNeedles(line, c, p, s, i)
		}
	})
}

// lineBox returns the rectangle of a line's band, which extends by half above and below the middle.
func lineBox(c draw.Canvas, p *plot.Plot, r chart.Region, line int, half float64) vg.Rectangle {
	corners := polyline(c, p, []float64{r.Lo, r.Hi}, []float64{float64(line) + half, float64(line) - half})
	return vg.Rectangle{Min: corners[0], Max: corners[1]}
}

// drawNeedles draws a needle at each value; the highest is at the most frequent value.
func drawNeedles(l chart.RangeLine, c draw.Canvas, p *plot.Plot, s theme.Style, line int) {
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

func (r ranges) legend() []entry {
	if r.Behind == "" {
		return nil
	}
	return []entry{areaEntry(r.Behind, func(s theme.Style) color.NRGBA { return s.Region })}
}
