package chart

import (
	"fmt"
)

// Bars shows series as bars in groups. Bars begin at zero and may have intervals and printed values of a paper.
type Bars struct {
	Title   string      `json:"title"`
	Caption string      `json:"caption,omitempty"`
	Groups  []string    `json:"groups"`
	Y       Axis        `json:"y"` // axis of values, which always includes 0
	Series  []BarSeries `json:"series"`
	Targets []Target    `json:"targets,omitempty"`
}

// BarSeries is a series with one bar in every group.
type BarSeries struct {
	Name    string    `json:"name"`
	Values  []float64 `json:"values"`
	Lo      []float64 `json:"lo,omitempty"` // lower ends of the intervals; Lo and Hi may both be nil
	Hi      []float64 `json:"hi,omitempty"`
	Printed []float64 `json:"printed,omitempty"`
}

// Figure returns the chart as a figure.
func (b Bars) Figure() (*Figure, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	return newFigure("Bar chart", b.Title, b.Caption, b, b), nil
}

func (b Bars) check() error {
	if err := firstError(filled("bars", len(b.Groups)), filled("bars", len(b.Series))); err != nil {
		return err
	}
	if b.Y.Log {
		return fmt.Errorf("bars: a bar starts at 0, which no logarithmic axis has; use Lines or DotWhisker")
	}
	n := len(b.Groups)
	for _, s := range b.Series {
		where := fmt.Sprintf("bars: series %q", s.Name)
		if err := firstError(
			filled(where, len(s.Values)), matching(where, "values", n, len(s.Values)),
			optional(where, "printed values", n, len(s.Printed)),
			optional(where, "Lo", n, len(s.Lo)), optional(where, "Hi", n, len(s.Hi)),
			matching(where, "Hi", len(s.Lo), len(s.Hi)),
			finite(where, s.Values...), finite(where+": Lo", s.Lo...), finite(where+": Hi", s.Hi...),
			finite(where+": printed", s.Printed...),
		); err != nil {
			return err
		}
		for i := range s.Hi {
			if err := ordered(where+" in "+b.Groups[i], s.Lo[i], s.Hi[i]); err != nil {
				return err
			}
		}
	}
	for _, t := range b.Targets {
		if err := finite("bars: target", t.Value); err != nil {
			return err
		}
	}
	return b.Y.check("bars: y", nil)
}
