package concealment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Alike is a lower bound for the cosine between the features of similar pictures. It is high because ReLU features are
// never negative, so all feature vectors point into the same orthant.
const Alike = .7

// scores holds the values of equations (7) and (8) for ranges of the cosine, and the printed values.
type scores struct {
	Alike float64          `json:"alike"`
	Cells []audit.CRSValue `json:"cells"`
	Lanes []lane           `json:"lanes"`
}

// lane is one row of the figure. It shows a range, or the printed values of a class.
type lane struct {
	Name    string        `json:"name"`
	Heading bool          `json:"heading,omitempty"`
	Retain  bool          `json:"retain"`
	Range   *chart.Region `json:"range,omitempty"`
	Shade   *chart.Region `json:"-"` // range of scores for similar pictures, repeated behind the printed values
	depth   float64       // strength of the band's colour
	series  int           // index of the series that gives printed values their colour
}

// crs returns the score for a cosine: equation (7) for a concept to retain, or equation (8) for one to forget.
func crs(retain bool, cosine float64) float64 {
	if retain {
		return metric.CRSPrintedRetain([]float64{cosine})
	}
	return metric.CRSPrintedForget([]float64{cosine})
}

// crsNeeds returns the cosine that a score requires.
func crsNeeds(retain bool, score float64) float64 {
	if retain {
		score = 1 - score
	}
	return math.Tan(score * math.Pi / 2)
}

// CRSFigure plots the scores that equations (7) and (8) of "Unlearning or Concealment?" allow for CRS, and the scores
// that its tables print. The parameter alike is the smallest cosine between the features of two pictures with the same
// content.
func CRSFigure(cells []audit.CRSValue, alike float64) (*chart.Figure, error) {
	if len(cells) == 0 {
		return nil, errors.New("CRS: nothing to draw")
	}
	if !(alike > 0 && alike < 1) {
		return nil, fmt.Errorf("CRS: alike is %g; give a cosine between 0 and 1", alike)
	}
	data := scores{Alike: alike, Cells: cells}
	for _, retain := range []bool{true, false} {
		data.Lanes = append(data.Lanes, data.lanes(retain)...)
	}
	graph := chart.Ranges{Title: "No similar pictures have the tabulated CRS under (7) and (8)",
		Caption: data.caption(), X: chart.Axis{Label: "CRS"},
		Behind: "where alike pictures score"}
	if data.insideAlike() > 0 {
		graph.Title = "The tabulated CRS against equations (7) and (8)"
	}
	for _, lane := range data.Lanes {
		line := chart.RangeLine{Name: lane.Name, Heading: lane.Heading, Band: lane.Range, Depth: lane.depth,
			Behind: lane.Shade, Series: lane.series}
		if lane.Shade != nil {
			line.Needles = data.printed(lane.Retain)
		}
		graph.Lines = append(graph.Lines, line)
	}
	figure, err := graph.Figure()
	if err != nil {
		return nil, fmt.Errorf("CRS: %w", err)
	}
	return figure.WithData(data), nil
}

func (d scores) lanes(retain bool) []lane {
	heading := "Forget, equation (8)"
	if retain {
		heading = "Retain, equation (7)"
	}
	reach := func(least float64) *chart.Region {
		a, b := crs(retain, least), crs(retain, 1)
		return &chart.Region{Lo: min(a, b), Hi: max(a, b)}
	}
	alike := reach(d.Alike)
	series := 1
	if retain {
		series = 2
	}
	return []lane{
		{Name: heading, Heading: true, Retain: retain},
		{Name: "any cosine", Retain: retain, Range: reach(-1), depth: .25},
		{Name: "features ≥ 0, as after ReLU", Retain: retain, Range: reach(0), depth: .5},
		{Name: fmt.Sprintf("pictures alike, cosine ≥ %g", d.Alike), Retain: retain, Range: alike, depth: 1},
		{Name: d.printedName(retain), Retain: retain, Shade: alike, series: series},
	}
}

// printed returns the printed values of a class.
func (d scores) printed(retain bool) []float64 {
	var values []float64
	for _, cell := range d.Cells {
		if cell.Retain == retain {
			values = append(values, cell.Printed)
		}
	}
	return values
}

func (d scores) printedName(retain bool) string {
	values := d.printed(retain)
	if len(values) == 0 {
		return "none printed"
	}
	return fmt.Sprintf("%d printed, %.2f to %.2f", len(values), slices.Min(values), slices.Max(values))
}

func (d scores) caption() string {
	largest := 0.
	for _, c := range d.Cells {
		largest = max(largest, math.Abs(crsNeeds(c.Retain, c.Printed)))
	}
	return fmt.Sprintf("Under the printed equations %d of %d tabulated values are possible for similar "+
		"pictures; the values need feature cosines of at most %.2f, where 0 is orthogonal and 1 is equal", d.insideAlike(), len(d.Cells), largest)
}

// insideAlike counts the printed values that are possible for similar pictures.
func (d scores) insideAlike() (n int) {
	for _, c := range d.Cells {
		const rounding = 1e-9
		if needed := crsNeeds(c.Retain, c.Printed); needed >= d.Alike && needed <= 1+rounding {
			n++
		}
	}
	return n
}
