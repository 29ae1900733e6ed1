package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// crsRange is what equations (7) and (8) can give for ranges of the cosine, and what the tables print.
type crsRange struct {
	Alike float64          `json:"alike"`
	Cells []audit.CRSValue `json:"cells"`
	Lanes []crsLane        `json:"lanes"`
}

// crsLane is one line of the figure: a range, or the printed values of a class.
type crsLane struct {
	Name    string  `json:"name"`
	Heading bool    `json:"heading,omitempty"`
	Retain  bool    `json:"retain"`
	Range   *Region `json:"range,omitempty"`
	Shade   *Region `json:"-"` // how alike pictures score, repeated behind the printed values
	depth   float64 // of the band's colour
	series  int     // whose colour the printed values have
}

// crs returns equation (7) for a concept to retain and (8) for one to forget, at a given cosine.
func crs(retain bool, cosine float64) float64 {
	if retain {
		return metric.CRSPrintedRetain([]float64{cosine})
	}
	return metric.CRSPrintedForget([]float64{cosine})
}

// crsNeeds returns the cosine that gives a score.
func crsNeeds(retain bool, score float64) float64 {
	if retain {
		score = 1 - score
	}
	return math.Tan(score * math.Pi / 2)
}

// CRSRange shows which scores CRS can reach under equations (7) and (8) of "Unlearning or Concealment?", and the scores
// that its tables print. Pictures of the same content have features at a cosine of at least alike.
func CRSRange(cells []audit.CRSValue, alike float64) (*Figure, error) {
	if err := filled("CRS range", len(cells)); err != nil {
		return nil, err
	}
	if !(alike > 0 && alike < 1) {
		return nil, fmt.Errorf("CRS range: alike is %g; give a cosine between 0 and 1", alike)
	}
	for _, c := range cells {
		if err := finite(fmt.Sprintf("CRS range: %q", c.Row), c.Printed); err != nil {
			return nil, err
		}
	}
	data := crsRange{Alike: alike, Cells: cells}
	for _, retain := range []bool{true, false} {
		data.Lanes = append(data.Lanes, data.lanes(retain)...)
	}
	f := newFigure("Ranges and dots", "No similar pictures have the tabulated CRS under (7) and (8)", data.caption(),
		data)
	if data.insideAlike() > 0 {
		f.Title = "The tabulated CRS against equations (7) and (8)"
	}
	f.body = data.draw
	return f, nil
}

func (d crsRange) lanes(retain bool) []crsLane {
	heading := "Forget, equation (8)"
	if retain {
		heading = "Retain, equation (7)"
	}
	reach := func(least float64) *Region {
		a, b := crs(retain, least), crs(retain, 1)
		return &Region{Lo: min(a, b), Hi: max(a, b)}
	}
	alike := reach(d.Alike)
	series := 1
	if retain {
		series = 2
	}
	return []crsLane{
		{Name: heading, Heading: true, Retain: retain},
		{Name: "any cosine", Retain: retain, Range: reach(-1), depth: .25},
		{Name: "features ≥ 0, as after ReLU", Retain: retain, Range: reach(0), depth: .5},
		{Name: fmt.Sprintf("pictures alike, cosine ≥ %g", d.Alike), Retain: retain, Range: alike, depth: 1},
		{Name: d.printedName(retain), Retain: retain, Shade: alike, series: series},
	}
}

// printed returns the tabulated values of a class.
func (d crsRange) printed(retain bool) []float64 {
	var values []float64
	for _, cell := range d.Cells {
		if cell.Retain == retain {
			values = append(values, cell.Printed)
		}
	}
	return values
}

func (d crsRange) printedName(retain bool) string {
	values := d.printed(retain)
	if len(values) == 0 {
		return "none printed"
	}
	return fmt.Sprintf("%d printed, %.2f to %.2f", len(values), slices.Min(values), slices.Max(values))
}

func (d crsRange) caption() string {
	largest := 0.
	for _, c := range d.Cells {
		largest = max(largest, math.Abs(crsNeeds(c.Retain, c.Printed)))
	}
	return fmt.Sprintf("Under the printed equations %d of %d tabulated values lie where alike pictures score; the "+
		"values need features at cosines "+
		"of at most %.2f, where 0 is orthogonal and 1 is equal", d.insideAlike(), len(d.Cells), largest)
}

// insideAlike counts the printed values that alike pictures can give.
func (d crsRange) insideAlike() (n int) {
	for _, c := range d.Cells {
		const rounding = 1e-9
		if needed := crsNeeds(c.Retain, c.Printed); needed >= d.Alike && needed <= 1+rounding {
			n++
		}
	}
	return n
}

func (d crsRange) draw(c draw.Canvas, s theme.Style) {
	rows := make([]rowName, len(d.Lanes))
	var reach []float64
	for i, lane := range d.Lanes {
		rows[i] = rowName{lane.Name, lane.Heading}
		if lane.Range != nil {
			reach = append(reach, lane.Range.Lo, lane.Range.Hi)
		}
	}
	for _, cell := range d.Cells {
		reach = append(reach, cell.Printed)
	}
	drawRows(c, s, Axis{Label: "CRS"}, reach, rows, func(c draw.Canvas, p *plot.Plot) {
		for i, lane := range d.Lanes {
			switch {
			case lane.Range != nil:
				c.SetColor(theme.Alpha(s.Color(0), lane.depth))
				c.Fill(laneBox(c, p, *lane.Range, i, .3).Path())
			case lane.Shade != nil:
				c.SetColor(s.Region)
				c.Fill(laneBox(c, p, *lane.Shade, i, .5).Path())
				d.drawPrinted(c, p, s, lane, i)
			}
		}
	})
}

func laneBox(c draw.Canvas, p *plot.Plot, r Region, lane int, half float64) vg.Rectangle {
	corners := polyline(c, p, []float64{r.Lo, r.Hi}, []float64{float64(lane) + half, float64(lane) - half})
	return vg.Rectangle{Min: corners[0], Max: corners[1]}
}

// drawPrinted draws a needle at each printed value, as high as the value is frequent.
func (d crsRange) drawPrinted(c draw.Canvas, p *plot.Plot, s theme.Style, lane crsLane, line int) {
	counts := map[float64]int{}
	most := 0
	for _, value := range d.printed(lane.Retain) {
		counts[value]++
		most = max(most, counts[value])
	}
	needle := draw.LineStyle{Color: s.Color(lane.series), Width: s.Em * .11}
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		foot := float64(line) + .45
		c.StrokeLines(needle, polyline(c, p, []float64{value, value},
			[]float64{foot, foot - .9*float64(counts[value])/float64(most)}))
	}
}
