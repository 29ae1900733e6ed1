package certify

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Corrected is one of Count estimates that are judged together. By Bonferroni's method its p-values are multiplied by
// Count, and Among returns its simultaneous 95 % interval. Lo and Hi are still the uncorrected interval.
type Corrected struct {
	Estimate
	Count int
}

// P returns the two-sided p-value of the null hypothesis that the quantity equals size.
func (c Corrected) P(size float64) float64 { return min(1, c.TwoSided(size)*float64(c.Count)) }

// Among returns the simultaneous interval: a size outside it has a p-value below .05.
func (c Corrected) Among() (lo, hi float64) { return c.interval(alpha / float64(c.Count)) }

// Simultaneous returns the estimate with the simultaneous interval in Lo and Hi. Tables print it if P decides, so that
// a size is outside the printed interval exactly if its p-value is below .05.
func (c Corrected) Simultaneous() Estimate {
	e := c.Estimate
	e.Lo, e.Hi = c.Among()
	return e
}

// Surely reports whether the estimate is above, or below, a size after the correction.
func (c Corrected) Surely(size float64) (above, below bool) {
	differs := c.P(size) < alpha
	return differs && c.Value > size, differs && c.Value < size
}

// PCell returns a cell with the p-value against a size and the number of repetitions on the estimate's side, or a dash.
func (c Corrected) PCell(size float64) report.Cell {
	p := c.P(size)
	if math.IsNaN(p) {
		return report.Word("–")
	}
	text := PText(p)
	if agree := AgreeText(c.Agree(size)); agree != "" {
		text += " (" + agree + ")"
	}
	return report.Number(text, p)
}
