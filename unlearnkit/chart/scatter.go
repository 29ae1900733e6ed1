package chart

import (
	"fmt"
	"slices"
)

// Scatter shows points by two scores. If both scores have a better direction, it also draws the Pareto front.
type Scatter struct {
	Title   string       `json:"title"`
	Caption string       `json:"caption,omitempty"`
	X       Axis         `json:"x"`
	Y       Axis         `json:"y"`
	BetterX Better       `json:"better_x"`
	BetterY Better       `json:"better_y"`
	Groups  []PointGroup `json:"groups"`
}

// PointGroup is a set of points with the same mark.
type PointGroup struct {
	Name   string       `json:"name"`
	Points []NamedPoint `json:"points"`
}

// NamedPoint is a point. If it has a name, the name is written next to it.
type NamedPoint struct {
	Name string  `json:"name,omitempty"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// Better is the direction in which a score improves.
type Better uint8

// Directions in which a score improves.
const (
	Unranked Better = iota
	Higher
	Lower
)

// MarshalText encodes a direction as a word, for JSON.
func (b Better) MarshalText() ([]byte, error) {
	return []byte([...]string{"unranked", "higher", "lower"}[b]), nil
}

// Figure returns the chart as a figure.
func (sc Scatter) Figure() (*Figure, error) {
	if err := sc.check(); err != nil {
		return nil, err
	}
	return newFigure("Scatter plot", sc.Title, sc.Caption, sc, sc), nil
}

func (sc Scatter) Ranked() bool { return sc.BetterX != Unranked && sc.BetterY != Unranked }

func (sc Scatter) check() error {
	if err := filled("scatter", len(sc.Points())); err != nil {
		return err
	}
	if (sc.BetterX == Unranked) != (sc.BetterY == Unranked) {
		return fmt.Errorf("scatter: one score has a better direction and the other has none; a front needs both")
	}
	var xs, ys []float64
	for _, p := range sc.Points() {
		if err := finite(fmt.Sprintf("scatter: point %q", p.Name), p.X, p.Y); err != nil {
			return err
		}
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	return firstError(sc.X.check("scatter: x", xs), sc.Y.check("scatter: y", ys))
}

func (sc Scatter) Points() []NamedPoint {
	var all []NamedPoint
	for _, g := range sc.Groups {
		all = append(all, g.Points...)
	}
	return all
}

// Front returns the Pareto front, sorted by X: the points that no other point dominates. It is empty if one of the
// scores has no better direction.
func (sc Scatter) Front() []NamedPoint {
	if !sc.Ranked() {
		return nil
	}
	var front []NamedPoint
	for _, p := range sc.Points() {
		if !slices.ContainsFunc(sc.Points(), func(q NamedPoint) bool { return sc.dominates(q, p) }) {
			front = append(front, p)
		}
	}
	slices.SortStableFunc(front, func(a, b NamedPoint) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	return front
}

// dominates reports whether q is at least as good as p in both scores and better in at least one.
func (sc Scatter) dominates(q, p NamedPoint) bool {
	x, y := sc.BetterX.gain(p.X, q.X), sc.BetterY.gain(p.Y, q.Y)
	return x >= 0 && y >= 0 && x+y > 0
}

func (b Better) gain(from, to float64) float64 {
	if b == Lower {
		return from - to
	}
	return to - from
}
