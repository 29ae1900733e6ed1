package certify

import "math"

// Mean is a mean of the panel as a quantity.
func Mean(name string) Quantity {
	return func(m Means) float64 { return m(name) }
}

// Above is how much a lies above b.
func Above(a, b Quantity) Quantity {
	return func(m Means) float64 { return a(m) - b(m) }
}

// Within is how much less than margin two quantities differ by.
func Within(margin float64, a, b Quantity) Quantity {
	return func(m Means) float64 { return margin - math.Abs(a(m)-b(m)) }
}

// Least is the smallest of quantities; nil of none.
func Least(all []Quantity) Quantity {
	if len(all) == 0 {
		return nil
	}
	return func(m Means) float64 {
		smallest := all[0](m)
		for _, q := range all[1:] {
			smallest = min(smallest, q(m))
		}
		return smallest
	}
}

// Testable takes the quantity from claims that ask for a mean which there is not.
func Testable(claims []Claim, has func(name string) bool) {
	for i := range claims {
		if claims[i].Of != nil && !claims[i].Of.among(has) {
			claims[i].Of = nil
		}
	}
}

// among tells whether there is every mean that the quantity asks for.
func (q Quantity) among(has func(name string) bool) bool {
	complete := true
	q(func(name string) float64 {
		complete = complete && has(name)
		return 0
	})
	return complete
}
