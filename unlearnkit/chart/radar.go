package chart

import (
	"fmt"
)

// Radar compares series on several scores with a common scale from 0 to Max. Each score has a spoke.
type Radar struct {
	Title   string        `json:"title"`
	Caption string        `json:"caption,omitempty"`
	Spokes  []string      `json:"spokes"` // names of the scores, clockwise from the top
	Max     float64       `json:"max"`    // value of the outer ring
	Series  []RadarSeries `json:"series"`
	Target  *Target       `json:"target,omitempty"` // target, drawn as a broken ring
}

// RadarSeries is an outline with one value per spoke.
type RadarSeries struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// Figure returns the chart as a figure.
func (r Radar) Figure() (*Figure, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return newFigure("Radar chart", r.Title, r.Caption, r, r), nil
}

func (r Radar) check() error {
	if len(r.Spokes) < 3 {
		return fmt.Errorf("radar: %d spokes; an outline needs at least 3", len(r.Spokes))
	}
	if err := firstError(filled("radar", len(r.Series)), finite("radar: Max", r.Max)); err != nil {
		return err
	}
	if r.Max <= 0 {
		return fmt.Errorf("radar: Max is %g; give the outer ring's value", r.Max)
	}
	for _, s := range r.Series {
		where := fmt.Sprintf("radar: series %q", s.Name)
		if err := firstError(filled(where, len(s.Values)), matching(where, "values", len(r.Spokes), len(s.Values)),
			r.within(where, s.Values...)); err != nil {
			return err
		}
	}
	if r.Target != nil {
		return r.within("radar: target", r.Target.Value)
	}
	return nil
}

func (r Radar) within(where string, values ...float64) error {
	for _, v := range values {
		if !(v >= 0 && v <= r.Max) {
			return fmt.Errorf("%s: %g is outside 0 to %g", where, v, r.Max)
		}
	}
	return nil
}
