package chart

import (
	"fmt"
	"math"
	"slices"
)

// Lines is a line chart of several series with confidence bands. Broken lines show values to reach: targets if they are
// constant, and guides if they vary with X.
type Lines struct {
	Title   string   `json:"title"`
	Caption string   `json:"caption,omitempty"`
	X       Axis     `json:"x"`
	Y       Axis     `json:"y"`
	Series  []Series `json:"series"`
	Targets []Target `json:"targets,omitempty"`
	Guides  []Series `json:"guides,omitempty"`
	Beyond  *Target  `json:"beyond,omitempty"` // value of X from which the chart is shaded
	Marked  *Marked  `json:"marked,omitempty"` // values of X marked by vertical lines
	// Whiskers draws intervals as vertical lines instead of bands, and shifts the points of each series a little
	// sideways. It is for series that would hide each other.
	Whiskers bool `json:"whiskers,omitempty"`
}

// Marked holds values of X that vertical lines mark.
type Marked struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
}

// Series is one line of a chart.
type Series struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role,omitzero"`    // role of the model; all series have roles, or none has
	Broken  bool      `json:"broken,omitempty"` // draw a broken line, for a second series with the same role
	X       []float64 `json:"x"`                // positions from left to right
	Y       []float64 `json:"y"`
	Lo      []float64 `json:"lo,omitempty"` // lower ends of the band around Y; Lo and Hi may both be nil
	Hi      []float64 `json:"hi,omitempty"`
	Gaps    []float64 `json:"gaps,omitempty"`    // values of X at which the line is interrupted
	Printed []Point   `json:"printed,omitempty"` // points that a paper prints
}

// Add appends a point on the right, or a gap if y is NaN. If a point has no interval, Add removes the band of the whole
// series.
func (s *Series) Add(x, y, lo, hi float64) {
	if math.IsNaN(y) {
		s.Gaps = append(s.Gaps, x)
		return
	}
	banded := len(s.Lo) == len(s.X)
	s.X, s.Y = append(s.X, x), append(s.Y, y)
	if banded && !math.IsNaN(lo) && !math.IsNaN(hi) {
		s.Lo, s.Hi = append(s.Lo, lo), append(s.Hi, hi)
	} else {
		s.Lo, s.Hi = nil, nil
	}
}

// Point is a position in a chart.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Target is a value to reach, such as a gold model's score or a nominal level.
type Target struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Series string  `json:"series,omitempty"` // name of the series whose colour the target has
}

// Figure returns the chart as a figure.
func (l Lines) Figure() (*Figure, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return newFigure("Line chart", l.Title, l.Caption, l, l), nil
}

func (l Lines) check() error {
	if err := filled("lines", len(l.Series)); err != nil {
		return err
	}
	for _, s := range l.all() {
		where := fmt.Sprintf("lines: series %q", s.Name)
		if err := firstError(
			filled(where, len(s.X)), filled(where, len(s.Y)), matching(where, "Y", len(s.X), len(s.Y)),
			optional(where, "Lo", len(s.X), len(s.Lo)), optional(where, "Hi", len(s.X), len(s.Hi)),
			finite(where+": gaps", s.Gaps...),
			matching(where, "Hi", len(s.Lo), len(s.Hi)),
			finite(where+": X", s.X...), finite(where+": Y", s.Y...), finite(where+": Lo", s.Lo...),
			finite(where+": Hi", s.Hi...),
		); err != nil {
			return err
		}
		if !slices.IsSorted(s.X) {
			return fmt.Errorf("%s: X does not run from left to right; sort the points", where)
		}
		for i := range s.Hi {
			if err := ordered(fmt.Sprintf("%s: band at %g", where, s.X[i]), s.Lo[i], s.Hi[i]); err != nil {
				return err
			}
		}
	}
	xs, ys := l.Values()
	return firstError(finite("lines: printed and target values", append(xs, ys...)...), l.X.check("lines: x", xs),
		l.Y.check("lines: y", ys))
}

// all returns the series followed by the guides.
func (l Lines) all() []Series { return slices.Concat(l.Series, l.Guides) }

// Values returns all numbers that the axes must show.
func (l Lines) Values() (xs, ys []float64) {
	for _, s := range l.all() {
		xs = append(xs, s.X...)
		ys = slices.Concat(ys, s.Y, s.Lo, s.Hi)
		for _, p := range s.Printed {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	for _, t := range l.Targets {
		ys = append(ys, t.Value)
	}
	if l.Beyond != nil {
		xs = append(xs, l.Beyond.Value)
	}
	if l.Marked != nil {
		xs = append(xs, l.Marked.X...)
	}
	return xs, ys
}
