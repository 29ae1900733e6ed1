package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// steps requires a relation between each budget of a method and the next larger one.
func steps(method string, budgets []int, of func(fewer, more string) certify.Relation) certify.Relation {
	var parts []certify.Relation
	for i := 1; i < len(budgets); i++ {
		parts = append(parts, of(nameOf(method, budgets[i-1]), nameOf(method, budgets[i])))
	}
	return certify.Every(parts...)
}

// falls requires that a score falls from each budget of a method to the next larger one.
func falls(method string, budgets []int) certify.Relation {
	return steps(method, budgets, func(fewer, more string) certify.Relation { return certify.Greater(fewer, more) })
}

// lostShare returns the share of the Compromised model's score that a model has lost.
func lostShare(model, column string) certify.Quantity {
	return func(m certify.Means) float64 {
		from := m(certify.ScoreOf(compromised, column))
		return (from - m(certify.ScoreOf(model, column))) / from
	}
}
