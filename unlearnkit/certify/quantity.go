package certify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Mean returns the quantity that equals a mean of the panel.
func Mean(name string) Quantity {
	return func(m Means) float64 { return m(name) }
}

// Difference returns a minus b.
func Difference(a, b Quantity) Quantity {
	return func(m Means) float64 { return a(m) - b(m) }
}

// Average returns the mean of quantities.
func Average(all ...Quantity) Quantity {
	return func(m Means) float64 {
		sum := 0.0
		for _, q := range all {
			sum += q(m) / float64(len(all))
		}
		return sum
	}
}

// Condition requires that a quantity is between two bounds.
type Condition struct {
	Of        Quantity
	Low, High float64
	// Margin describes the distance at which two numbers still count as alike, and who chose it. If it is empty, fixed
	// bounds describe themselves.
	Margin string
	// Room is half the distance between the bounds of an equivalence, if the bounds depend on other means. Otherwise it
	// is nil, and Low and High hold the bounds.
	Room Quantity
	// Correlation marks the quantity as a correlation, see [Correlated].
	Correlation bool
}

// MoreThan requires that a quantity exceeds a bound.
func MoreThan(bound float64, q Quantity) []Condition { return Between(bound, math.Inf(1), q) }

// LessThan requires that a quantity is below a bound.
func LessThan(bound float64, q Quantity) []Condition { return Between(math.Inf(-1), bound, q) }

// Above requires that a exceeds b.
func Above(a, b Quantity) []Condition { return MoreThan(0, Difference(a, b)) }

// Within requires that two quantities differ by less than a margin.
func Within(margin float64, a, b Quantity) []Condition {
	return Between(-margin, margin, Difference(a, b))
}

// Between requires that a quantity is between two bounds.
func Between(low, high float64, q Quantity) []Condition {
	return []Condition{{Of: q, Low: low, High: high}}
}

// WithinShare requires that two quantities differ by less than a share of a third one, which must be positive.
func WithinShare(share float64, of, a, b Quantity) []Condition {
	room := func(m Means) float64 { return share * of(m) }
	below := func(m Means) float64 { return room(m) - (a(m) - b(m)) }
	above := func(m Means) float64 { return room(m) + (a(m) - b(m)) }
	infinity := math.Inf(1)
	return []Condition{{Of: below, High: infinity, Room: room}, {Of: above, High: infinity, Room: room}}
}

// Correlated requires that a correlation, Pearson's or Kendall's, exceeds a bound. It is tested on Fisher's (1921)
// scale, the inverse hyperbolic tangent, so its interval is within -1 and 1.
func Correlated(bound float64, correlation Quantity) []Condition {
	return []Condition{{Of: correlation, Low: bound, High: math.Inf(1), Correlation: true}}
}

// estimate computes the condition's quantity with its interval and tests.
func (c Condition) estimate(p *Panel) Estimate {
	e := p.Estimate(c.Of)
	if c.Correlation {
		e.correlation = true
		e.Lo, e.Hi = e.interval(alpha)
	}
	return e
}

// room returns half the distance between the bounds. It is infinite unless the condition is an equivalence.
func (c Condition) room(p *Panel) float64 {
	if c.Room != nil {
		return p.Estimate(c.Room).Value
	}
	return c.half()
}

// half returns half the distance between fixed bounds.
func (c Condition) half() float64 { return (c.High - c.Low) / 2 }

// bounded reports whether the condition has another bound than zero.
func (c Condition) bounded() bool {
	zero := func(bound float64) bool { return bound == 0 || math.IsInf(bound, 0) }
	return c.Room != nil || c.Margin != "" || !zero(c.Low) || !zero(c.High)
}

// With describes the margin of conditions.
func With(margin string, conditions []Condition) []Condition {
	for i := range conditions {
		conditions[i].Margin = margin
	}
	return conditions
}

// margins describes the margins of a claim's conditions, and bounds other than zero, each once.
func (c Claim) margins() string {
	var all []string
	for _, condition := range c.Of {
		margin := condition.Margin
		switch {
		case margin != "" || condition.Room != nil || !condition.bounded():
		case math.IsInf(condition.High, 1):
			margin = fmt.Sprintf("above %g", condition.Low)
		case math.IsInf(condition.Low, -1):
			margin = fmt.Sprintf("below %g", condition.High)
		case condition.Low == -condition.High:
			margin = fmt.Sprintf("±%g", condition.High)
		default:
			margin = fmt.Sprintf("%g to %g", condition.Low, condition.High)
		}
		if margin != "" && !slices.Contains(all, margin) {
			all = append(all, margin)
		}
	}
	return strings.Join(all, "; ")
}

// All joins conditions. It returns nil if one of the parts is empty.
func All(parts ...[]Condition) []Condition {
	if slices.ContainsFunc(parts, func(p []Condition) bool { return len(p) == 0 }) {
		return nil
	}
	return slices.Concat(parts...)
}

// value returns the distance from q to the nearer bound. It is negative outside the bounds.
func (c Condition) value(q float64) float64 { return min(q-c.Low, c.High-q) }

// Value returns the smallest value of the conditions, or its negative if the claim denies them. It is positive if the
// claim is true.
func (c Claim) Value(m Means) float64 {
	least := math.Inf(1)
	for _, condition := range c.Of {
		least = min(least, condition.value(condition.Of(m)))
	}
	if c.Denied {
		return -least
	}
	return least
}

// Testable removes the conditions of claims that read a mean that is not available.
func Testable(claims []Claim, has func(name string) bool) {
	for i := range claims {
		if len(claims[i].Of) > 0 && !claims[i].testable(has) {
			claims[i].Of = nil
		}
	}
}

// testable reports whether every mean that the claim reads is available.
func (c Claim) testable(has func(name string) bool) bool {
	complete := true
	c.Value(func(name string) float64 {
		complete = complete && has(name)
		return 0
	})
	return complete
}
