// Package returned measures how much of what a model was made to forget an attack brings back, and decides whether it
// was erased or only hidden.
//
// Four models get the same attack at the same budgets: the model after a method, the original that it started from,
// gold, which never knew what is to be forgotten, and the control, gold after the same method. Gold's score is
// subtracted from the others' scores. The difference is a share of the original's, because an attack wears the original
// down, too. So the original has the share 1 and gold the share 0, by construction. The control shows how much the
// damage that the method does slows the attack down.
package returned

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Verdicts on a model under an attack. If the data do not decide, the verdict is [certify.Unresolved]. It is
// [certify.Untestable] if the original does not surely know more than gold, or if the attack brings back in the control
// what it never knew.
const (
	NotErased certify.Verdict = "not erased" // too much is there before the attack
	ComesBack certify.Verdict = "comes back" // it is gone before the attack, and the attack brings it back
	AsGold    certify.Verdict = "as gold"    // it is gone, and the attack brings back hardly more than from gold
	Damaged   certify.Verdict = "damaged"    // the model has lost other knowledge, so that little comes back means nothing
)

// Models names the means of a panel that an attack compares.
type Models struct {
	// These functions name the mean of a model at an index of Budgets. Index 0 is before the attack.
	Unlearned, Original, Gold, Control func(budget int) string

	Budgets     int    // number of budgets, with 0
	Kept, Whole string // other knowledge of the model and of the original, before the attack
}

// Returned holds what an attack brought back, as shares of what the original has beyond gold.
type Returned struct {
	Gap   certify.Estimate  // what the original has beyond gold before the attack, in the unit of the score
	Start certify.Corrected // share before the attack
	Share certify.Corrected // share over all budgets of the attack: sum by sum
	Gain  certify.Corrected // Share less Start
	Last  certify.Corrected // share at the largest budget
	// Control is the gain of the control.
	Control certify.Corrected
	Kept    certify.Corrected // other knowledge, as a share of the original's
	Verdict certify.Verdict
}

// less returns a model's sum over budgets, less gold's.
func (m Models) less(of func(int) string, from, to int) certify.Quantity {
	return func(means certify.Means) (sum float64) {
		for budget := from; budget < to; budget++ {
			sum += means(of(budget)) - means(m.Gold(budget))
		}
		return sum
	}
}

// share returns a model's sum over budgets less gold's, as a share of the original's.
func (m Models) share(of func(int) string, from, to int) certify.Quantity {
	own, whole := m.less(of, from, to), m.less(m.Original, from, to)
	return func(means certify.Means) float64 { return own(means) / whole(means) }
}

// Start returns the share before the attack, corrected for the number of tests. It reads no other budget.
func Start(panel *certify.Panel, models Models, tests int) certify.Corrected {
	return certify.Corrected{Estimate: panel.Estimate(models.share(models.Unlearned, 0, 1)), Count: tests}
}

// Measure measures an attack. The verdict is corrected for the number of tests.
func Measure(panel *certify.Panel, models Models, tests int) Returned {
	n := models.Budgets
	of := func(q certify.Quantity) certify.Corrected {
		return certify.Corrected{Estimate: panel.Estimate(q), Count: tests}
	}
	gain := func(model func(int) string) certify.Quantity {
		return certify.Difference(models.share(model, 1, n), models.share(model, 0, 1))
	}
	r := Returned{
		Gap: panel.Estimate(models.less(models.Original, 0, 1)), Start: Start(panel, models, tests),
		Share: of(models.share(models.Unlearned, 1, n)), Gain: of(gain(models.Unlearned)),
		Last: of(models.share(models.Unlearned, n-1, n)), Control: of(gain(models.Control)),
		Kept: of(func(m certify.Means) float64 { return m(models.Kept) / m(models.Whole) }),
	}
	r.Verdict = r.decide(tests)
	return r
}

// decide returns the verdict. Whether a model is damaged matters only if little comes back from it.
func (r *Returned) decide(tests int) certify.Verdict {
	known, _ := certify.Corrected{Estimate: r.Gap, Count: tests}.Surely(0)
	taught, _ := r.Control.Surely(attack.GainMargin)
	left, gone := r.Start.Surely(attack.MostLeft)
	back, notBack := r.Gain.Surely(attack.GainMargin)
	_, damaged := r.Kept.Surely(attack.LeastRetained)
	switch {
	case !known || taught || math.IsNaN(r.Start.Value):
		return certify.Untestable
	case left:
		return NotErased
	case gone && back:
		return ComesBack
	case damaged:
		return Damaged
	case gone && notBack:
		return AsGold
	}
	return certify.Unresolved
}
