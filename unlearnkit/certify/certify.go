package certify

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Verdict is the result of comparing a value with its target, of testing a claim, or of another judgement in a study.
type Verdict string

// Verdicts on a cell's difference from its target.
const (
	Matched        Verdict = "matched"         // the interval of the difference is within the margin
	UnderForgotten Verdict = "under-forgotten" // the interval of the difference is above zero
	OverForgotten  Verdict = "over-forgotten"  // the interval of the difference is below zero
)

// Reverse returns the verdict for a value that falls as a model remembers more.
func (v Verdict) Reverse() Verdict {
	switch v {
	case UnderForgotten:
		return OverForgotten
	case OverForgotten:
		return UnderForgotten
	}
	return v
}

// Unresolved means that the data do not decide.
const Unresolved Verdict = "unresolved"

// Cell is a number in a table with its interval, its tests and its verdict.
type Cell struct {
	Row      string   `json:"row"`
	Levels   []string `json:"-"` // levels of Row, outermost first; nil if Row has a single level
	Column   string   `json:"column"`
	Estimate float64  `json:"estimate"`
	Lo       float64  `json:"lo"`
	Hi       float64  `json:"hi"`
	N        int      `json:"n"`     // number of outcomes
	Seeds    int      `json:"seeds"` // number of repetitions
	Target   float64  `json:"target"`
	Margin   float64  `json:"margin"`
	// P is the p-value of the paper's own test against the paper's own target; PBasis describes that test. PAdjusted is
	// corrected over the table by Holm's method. If the paper has no test, P equals DifferenceP.
	P         float64 `json:"p"`
	PAdjusted float64 `json:"p_adjusted"`
	TOSTP     float64 `json:"tost_p"` // p-value of the test of equivalence within Margin (TOST)
	Verdict   Verdict `json:"verdict"`
	Printed   string  `json:"printed"` // value that the paper prints
	Warning   string  `json:"warning,omitempty"`
	Guest     bool    `json:"guest,omitempty"` // the row shows a model that a user imported

	// Difference is the estimate minus the target, with the interval that decides the verdict. DifferenceP tests a
	// difference of zero. DifferenceAdjusted is corrected over the table by Holm's method; tables print a star if it is
	// below .05.
	Difference         float64 `json:"difference"`
	DifferenceLo       float64 `json:"difference_lo"`
	DifferenceHi       float64 `json:"difference_hi"`
	DifferenceP        float64 `json:"difference_p"`
	DifferenceAdjusted float64 `json:"difference_p_adjusted"`
	Basis              Basis   `json:"basis"` // basis of the difference, its interval and its equivalence test
	PBasis             Basis   `json:"p_basis"`
	Reference          bool    `json:"-"`              // the row has no target
	From               []Run   `json:"from,omitempty"` // runs that computed the values and their targets
}

// Run names a run whose output a cell is computed from.
type Run struct {
	Key   string `json:"key"`
	Title string `json:"title"`
}

// MarshalJSON writes NaN and infinities as null.
func (c Cell) MarshalJSON() ([]byte, error) {
	type plain Cell
	return withoutNaN(plain(c), map[string]float64{
		"estimate": c.Estimate, "lo": c.Lo, "hi": c.Hi, "target": c.Target, "margin": c.Margin, "p": c.P,
		"p_adjusted": c.PAdjusted, "tost_p": c.TOSTP, "difference": c.Difference, "difference_lo": c.DifferenceLo,
		"difference_hi": c.DifferenceHi, "difference_p": c.DifferenceP, "difference_p_adjusted": c.DifferenceAdjusted,
	})
}

// Differs reports whether the value differs from its target after the correction. Tables mark such a cell with a star.
func (c Cell) Differs() bool { return c.DifferenceAdjusted < alpha }

// Certify returns a cell with the mean of the values, its 95 % interval, its difference from the target, and the
// verdict. It tests the equivalence with the target by two one-sided tests. P and DifferenceP test a difference of
// zero, until the caller replaces P by the paper's own test.
//
// Special cases are:
//
//	a repetition without outcomes   →  it is left out
//	no outcomes, or NaN among them  →  estimates, intervals and p-values NaN, Unresolved
//	a single outcome                →  no interval, no p-value, Unresolved
//	margin 0                        →  TOSTP is NaN, never Matched
func Certify(value, target Outcomes, margin float64) Cell {
	value, target = dropMissing(value, target)
	cell := unknown(value)
	cell.Margin, cell.Verdict = margin, Unresolved
	if math.IsNaN(value.value() + target.value()) {
		return cell
	}
	panel := &Panel{}
	panel.Add("value", value)
	panel.Add("target", target)
	own, difference := panel.Estimate(Mean("value")), panel.Estimate(Difference(Mean("value"), Mean("target")))
	cell.Estimate, cell.Target, cell.Difference = own.Value, target.value(), difference.Value
	cell.Basis, cell.PBasis = difference.Basis, difference.Basis
	if cell.N < 2 {
		return cell
	}
	cell.Lo, cell.Hi = own.Lo, own.Hi
	cell.DifferenceLo, cell.DifferenceHi, cell.DifferenceP = difference.Lo, difference.Hi, difference.TwoSided(0)
	cell.P = cell.DifferenceP
	cell.Verdict = judge(difference.Lo, difference.Hi, margin)
	if margin > 0 {
		cell.TOSTP = max(difference.AtMost(-margin), difference.AtLeast(margin))
	}
	return cell
}

// Alone returns a cell with a mean and its 95 % interval, for a value without a target. The cell has no verdict.
func Alone(value Outcomes) Cell {
	value, _ = dropMissing(value, value)
	cell := unknown(value)
	if cell.Estimate = value.value(); cell.N < 2 || math.IsNaN(cell.Estimate) {
		return cell
	}
	panel := &Panel{}
	panel.Add("value", value)
	own := panel.Estimate(Mean("value"))
	cell.Lo, cell.Hi, cell.Basis, cell.PBasis = own.Lo, own.Hi, own.Basis, own.Basis
	return cell
}

// Defined returns a cell with a mean but no interval, for a value that is fixed by definition.
func Defined(value Outcomes) Cell {
	value, _ = dropMissing(value, value)
	cell := unknown(value)
	cell.Estimate = value.value()
	return cell
}

// unknown returns a cell with the counts of the value and NaN for every other number.
func unknown(value Outcomes) Cell {
	nan := math.NaN()
	return Cell{N: value.count(), Seeds: len(value.samples), Estimate: nan, Lo: nan, Hi: nan, Target: nan, P: nan,
		PAdjusted: nan, TOSTP: nan, Difference: nan, DifferenceLo: nan, DifferenceHi: nan, DifferenceP: nan,
		DifferenceAdjusted: nan}
}

func judge(low, high, margin float64) Verdict {
	switch {
	case low > -margin && high < margin:
		return Matched
	case low > 0:
		return UnderForgotten
	case high < 0:
		return OverForgotten
	}
	return Unresolved
}

// Adjust fills the adjusted p-values of a table by Holm's method. Cells without a p-value are left out.
func Adjust(cells []Cell) {
	n := holm(len(cells), func(i int) float64 { return cells[i].P }, func(i int, p float64) { cells[i].PAdjusted = p })
	m := holm(len(cells), func(i int) float64 {
		return cells[i].DifferenceP
	}, func(i int, p float64) { cells[i].DifferenceAdjusted = p })
	for i := range cells {
		cells[i].PBasis.Tests, cells[i].Basis.Tests = n, m
	}
}

// holm adjusts the p-values that are not NaN, sets the others to NaN, and returns how many it adjusted.
func holm(n int, of func(i int) float64, set func(i int, adjusted float64)) int {
	var p []float64
	var at []int
	for i := range n {
		set(i, math.NaN())
		if !math.IsNaN(of(i)) {
			p, at = append(p, of(i)), append(at, i)
		}
	}
	for k, adjusted := range stat.Holm(make([]float64, len(p)), p) {
		set(at[k], adjusted)
	}
	return len(p)
}
