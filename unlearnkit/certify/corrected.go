package certify

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Corrected is one of Count estimates that are judged together. Bonferroni's method multiplies its p-values by Count.
// Among returns its simultaneous 95 % interval; Lo and Hi are still the uncorrected interval.
type Corrected struct {
	Estimate
	Count int
}

// P returns the corrected two-sided p-value of the null hypothesis that the quantity equals size.
func (c Corrected) P(size float64) float64 { return min(1, c.TwoSided(size)*float64(c.Count)) }

// Among returns the simultaneous interval. Every size outside the interval has a p-value below .05.
func (c Corrected) Among() (lo, hi float64) { return c.interval(alpha / float64(c.Count)) }

// Simultaneous returns the estimate with the simultaneous interval in Lo and Hi. Tables that judge by P print this
// interval: a size is outside it exactly if its p-value is below .05.
func (c Corrected) Simultaneous() Estimate {
	e := c.Estimate
	e.Lo, e.Hi = c.Among()
	return e
}

// Surely reports whether the estimate is significantly above or below a size after the correction.
func (c Corrected) Surely(size float64) (above, below bool) {
	differs := c.P(size) < alpha
	return differs && c.Value > size, differs && c.Value < size
}

// PCell returns a table cell with the p-value against a size and the number of repetitions on the estimate's side of
// the size. Without a p-value the cell is a dash.
func (c Corrected) PCell(size float64) report.Cell {
	p := c.P(size)
	if math.IsNaN(p) {
		return report.Word("–")
	}
	cell := report.Number(PText(p), p)
	if agree, of := c.Agree(size); of > 0 {
		cell.Text += " (" + AgreeText(agree, of) + ")"
		cell.Agreement = &report.Agreement{Agree: agree, Repeated: of}
	}
	return cell
}
