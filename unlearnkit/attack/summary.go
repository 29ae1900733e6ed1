package attack

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Summary is a result for JSON: every curve, where it exceeds gold's, and what is missing. Undefined numbers are null.
type Summary struct {
	Attack  string         `json:"attack"`
	Axis    string         `json:"axis"`
	Budgets []Budget       `json:"budgets"`
	Models  []Model        `json:"models"`
	Curves  []CurveSummary `json:"curves"`
	// comparisons of models with gold, by columns that are shares; null without gold
	Judgements []Judgement `json:"judgements"`
	Lacks      []string    `json:"lacks"`
}

// CurveSummary is a curve for JSON.
type CurveSummary struct {
	Model  string         `json:"model"`
	Column string         `json:"column"`
	Label  string         `json:"label"`
	Points []PointSummary `json:"points"`
	Area   Interval       `json:"area"`
	// null without a gold model, for gold itself, and for a column that does not measure recovery
	Passes   *PassesSummary `json:"passes_gold"`
	HalfAt   *float64       `json:"half_at,omitempty"`
	Retained *Interval      `json:"retained"` // null if not measured
}

// PointSummary is a point of a curve.
type PointSummary struct {
	Budget
	Interval
	N int `json:"n"`
}

// Interval is an estimate with its limits, for JSON.
type Interval struct {
	Estimate *float64 `json:"estimate"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
}

// String formats the estimate, followed by its limits in brackets if there are any.
func (i Interval) String() string {
	switch {
	case i.Estimate == nil:
		return "not defined"
	case i.Lo == nil || i.Hi == nil:
		return fmt.Sprintf("%.3f", *i.Estimate)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", *i.Estimate, *i.Lo, *i.Hi)
}

// PassesSummary is a [Passing] for JSON.
type PassesSummary struct {
	Separated *float64 `json:"separated"`
	Crossing  *float64 `json:"crossing"`
}

// Summary computes the curves of all models and columns.
func (r *Result) Summary() (Summary, error) {
	s := Summary{Attack: r.Attack, Axis: r.Axis, Budgets: r.Budgets, Models: r.Models, Curves: []CurveSummary{},
		Lacks: r.Lacks()}
	var err error
	if s.Judgements, err = r.Judgements(); err != nil {
		return Summary{}, err
	}
	for _, column := range r.Columns {
		gold, controlled := r.first(Gold)
		var control Curve
		if controlled {
			if control, err = r.Curve(gold.Name, column.Name); err != nil {
				return Summary{}, err
			}
		}
		for _, m := range r.Models {
			c, err := r.Curve(m.Name, column.Name)
			if err != nil {
				return Summary{}, err
			}
			summary := c.summary()
			if controlled && m.Role != Gold && column.Recovery {
				p := c.Passes(control)
				summary.Passes = &PassesSummary{report.Defined(p.Separated), report.Defined(p.Crossing)}
			}
			s.Curves = append(s.Curves, summary)
		}
	}
	return s, nil
}

func (c Curve) summary() CurveSummary {
	s := CurveSummary{Model: c.Model.Name, Column: c.Column.Name, Label: c.Column.Label, Area: c.Area.interval()}
	for _, p := range c.Points {
		s.Points = append(s.Points, PointSummary{p.Budget, p.interval(), p.N})
	}
	if c.Column.Share {
		s.HalfAt = report.Defined(c.Reaches(.5))
	}
	if c.Model.Retained.Measured() {
		retained := c.Model.Retained.Estimate().interval()
		s.Retained = &retained
	}
	return s
}

func (e Estimate) interval() Interval {
	return Interval{report.Defined(e.Value), report.Defined(e.Lo), report.Defined(e.Hi)}
}
