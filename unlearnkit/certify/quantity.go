package certify

import (
	"math"
	"slices"
)

// Mean is a mean of the panel as a quantity.
func Mean(name string) Quantity {
	return func(m Means) float64 { return m(name) }
}

// Difference is a less b.
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

// Condition is that a quantity lies between two bounds.
type Condition struct {
	Of        Quantity
	Low, High float64
	// Room is how far the quantity may lie from the middle, of an equivalence whose bounds are no numbers; nil of
	// others.
	Room Quantity
}

// MoreThan is that a quantity lies above a bound.
func MoreThan(bound float64, q Quantity) []Condition { return Between(bound, math.Inf(1), q) }

// LessThan is that a quantity lies below a bound.
func LessThan(bound float64, q Quantity) []Condition { return Between(math.Inf(-1), bound, q) }

// Above is that a lies above b.
func Above(a, b Quantity) []Condition { return MoreThan(0, Difference(a, b)) }

// Within is that two quantities differ by less than a margin.
func Within(margin float64, a, b Quantity) []Condition {
	return Between(-margin, margin, Difference(a, b))
}

// Between is that a quantity lies between two bounds.
func Between(low, high float64, q Quantity) []Condition {
	return []Condition{{Of: q, Low: low, High: high}}
}

// WithinShare is that two quantities differ by less than a share of a third one, which is above zero.
func WithinShare(share float64, of, a, b Quantity) []Condition {
	room := func(m Means) float64 { return share * of(m) }
	below := func(m Means) float64 { return room(m) - (a(m) - b(m)) }
	above := func(m Means) float64 { return room(m) + (a(m) - b(m)) }
	infinity := math.Inf(1)
	return []Condition{{Of: below, High: infinity, Room: room}, {Of: above, High: infinity, Room: room}}
}

// room is how far the quantity may lie from the middle of its bounds: infinitely far unless it is an equivalence.
func (c Condition) room(p *Panel) float64 {
	if c.Room != nil {
		return p.Estimate(c.Room).Value
	}
	return (c.High - c.Low) / 2
}

// All is that all of some conditions are met; none if one of them is missing.
func All(parts ...[]Condition) []Condition {
	if slices.ContainsFunc(parts, func(p []Condition) bool { return len(p) == 0 }) {
		return nil
	}
	return slices.Concat(parts...)
}

// value is how far the quantity lies within the bounds; negative outside.
func (c Condition) value(q float64) float64 { return min(q-c.Low, c.High-q) }

// Value is how far what a claim is about lies within what it says; it is above zero if the claim is so.
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

// Testable takes the conditions from claims that ask for a mean which there is not.
func Testable(claims []Claim, has func(name string) bool) {
	for i := range claims {
		if len(claims[i].Of) > 0 && !claims[i].among(has) {
			claims[i].Of = nil
		}
	}
}

// among tells whether there is every mean that the claim asks for.
func (c Claim) among(has func(name string) bool) bool {
	complete := true
	c.Value(func(name string) float64 {
		complete = complete && has(name)
		return 0
	})
	return complete
}
