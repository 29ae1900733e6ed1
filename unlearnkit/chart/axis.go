package chart

import (
	"fmt"
	"math"
)

// Axis describes one axis of a chart. The zero value is a linear axis without a label, which covers the range of the
// data.
type Axis struct {
	Label string  `json:"label"`
	Log   bool    `json:"log,omitempty"`
	Min   float64 `json:"min,omitempty"` // lower end; if Min and Max are 0, the axis covers the data
	Max   float64 `json:"max,omitempty"`
}

func (a Axis) Fixed() bool { return a.Min != 0 || a.Max != 0 }

// check returns an error if the axis cannot show its own range or the given values.
func (a Axis) check(name string, values []float64) error {
	if err := finite(name+" axis", a.Min, a.Max); err != nil {
		return err
	}
	if a.Fixed() && a.Min >= a.Max {
		return fmt.Errorf("%s axis: range from %g to %g; the smaller end comes first", name, a.Min, a.Max)
	}
	if a.Max-a.Min < narrowest*max(math.Abs(a.Min), math.Abs(a.Max)) {
		return fmt.Errorf("%s axis: range from %g to %g is too narrow for ticks; subtract a constant first", name,
			a.Min, a.Max)
	}
	if a.Log && a.Fixed() {
		values = append([]float64{a.Min}, values...)
	}
	for _, v := range values {
		if a.Log && v <= 0 {
			return fmt.Errorf("%s axis: %g on a logarithmic axis; use values above 0", name, v)
		}
	}
	return nil
}

// Span returns the range of the axis: the fixed range, or the range of the data with a margin at both ends.
func (a Axis) Span(values []float64) (lo, hi float64) {
	if a.Fixed() {
		return a.Min, a.Max
	}
	const margin = .04
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	if a.Log {
		factor := max(math.Pow(hi/lo, margin), 1.1)
		return lo / factor, hi * factor
	}
	pad := (hi - lo) * margin
	if pad == 0 {
		pad = max(math.Abs(hi)*.1, .5)
	}
	return widened(lo-pad, hi+pad)
}

// narrowest is the smallest range of an axis, relative to its values. In a smaller range, floating-point numbers could
// not distinguish the ticks.
const narrowest = 1e-9

// widened returns the range, made wide enough for ticks.
func widened(lo, hi float64) (float64, float64) {
	if least := narrowest * max(math.Abs(lo), math.Abs(hi)); hi-lo < least {
		return lo - least, hi + least
	}
	return lo, hi
}
