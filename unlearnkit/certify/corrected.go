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

// PCell is a cell with the p-value against a size, or a dash.
func (c Corrected) PCell(size float64) report.Cell {
	p, basis := c.P(size), c.Basis
	if math.IsNaN(p) {
		return report.Word("–")
	}
	basis.Tests = c.Count
	return report.Number(PText(p, basis, 2), p)
}
