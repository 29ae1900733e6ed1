package certify

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Corrected is an estimate of which there are count that are judged alike: by Bonferroni, its p-values are times their
// number, and its interval among them is of 95 % together with the others'. Lo and Hi stay those of one alone.
type Corrected struct {
	Estimate
	Count int
}

// P is the p-value against a quantity of just that size, two-sided.
func (c Corrected) P(size float64) float64 { return min(1, c.TwoSided(size)*float64(c.Count)) }

// Among is the interval among all: what lies outside has a p-value below .05.
func (c Corrected) Among() (lo, hi float64) { return c.interval(alpha / float64(c.Count)) }

// Simultaneous returns the estimate with the interval among all in place of its own. It is shown where P decides, so
// that a size lies outside if and only if its p-value is below .05.
func (c Corrected) Simultaneous() Estimate {
	e := c.Estimate
	e.Lo, e.Hi = c.Among()
	return e
}

// Surely reports whether the estimate lies above a size after the correction, or below it.
func (c Corrected) Surely(size float64) (above, below bool) {
	differs := c.P(size) < alpha
	return differs && c.Value > size, differs && c.Value < size
}

// PCell returns the p-value against a size and how many repetitions lie on that side of it, or a dash.
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
