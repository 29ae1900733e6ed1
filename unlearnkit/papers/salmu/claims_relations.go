package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// near requires that the scores of two models differ by less than a margin on the paper's scale.
func near(margin float64, a, b string) certify.Relation {
	return func(column string) []certify.Condition {
		return alike(margin, column, certify.Score(a, column), certify.Score(b, column))
	}
}

// hardlyAbove requires that the score of a exceeds the score of b by less than a margin on the paper's scale.
func hardlyAbove(margin float64, a, b string) certify.Relation {
	return func(column string) []certify.Condition {
		return certify.MoreThan(0, func(m certify.Means) float64 {
			return share(margin, column)*span(column)(m) - (certify.Score(a, column)(m) - certify.Score(b, column)(m))
		})
	}
}

// wellAbove requires that the score of a exceeds the score of b by more than a margin on the paper's scale.
func wellAbove(margin float64, a, b string) certify.Relation {
	return func(column string) []certify.Condition {
		return certify.MoreThan(0, func(m certify.Means) float64 {
			return certify.Score(a, column)(m) - certify.Score(b, column)(m) - share(margin, column)*span(column)(m)
		})
	}
}

// steps requires a relation between each budget of a method and the next larger one.
func steps(method string, budgets []int, of func(fewer, more string) certify.Relation) certify.Relation {
	var parts []certify.Relation
	for i := 1; i < len(budgets); i++ {
		parts = append(parts, of(at(method, budgets[i-1]), at(method, budgets[i])))
	}
	return certify.Every(parts...)
}

// falls requires that a score falls from each budget of a method to the next larger one.
func falls(method string, budgets []int) certify.Relation {
	return steps(method, budgets, func(fewer, more string) certify.Relation { return certify.Greater(fewer, more) })
}

// likeHoldouts requires that models give the captions of the holdouts nearly the same cosines as the captions of the
// forget set.
func likeHoldouts(margin float64, models ...string) certify.Relation {
	return func(column string) []certify.Condition {
		var parts [][]certify.Condition
		for _, model := range models {
			for _, holdout := range []string{"InterIdSim", "IntraIdSim"} {
				parts = append(parts, alike(margin, column, certify.Score(model, holdout), certify.Score(model,
					column)))
			}
		}
		return certify.All(parts...)
	}
}

// lost returns the share of the Compromised model's score that a model has lost.
func lost(model, column string) certify.Quantity {
	return func(m certify.Means) float64 {
		from := m(certify.ScoreOf(compromised, column))
		return (from - m(certify.ScoreOf(model, column))) / from
	}
}

// printedSpans holds, for each column, the printed distance between the models that the metric should distinguish.
// Models on generated data have other distances, so margins are shares of this distance instead of absolute numbers.
// For forgetting and cosines, the distance is from Clean to Compromised. For general knowledge, which both models have,
// it is from zero to Compromised.
var printedSpans = map[string]float64{
	"RetFail": .236 - .001, "AssocStr": .322 - .142, "ACS": .951 - .602, "IdZSC": .084 - .011, "GenKnow": .638,
}

// twentieth is one twentieth of the Compromised model's general knowledge on the paper's scale.
const twentieth = .05 * .638

// span returns the distance between the models that a column should distinguish.
func span(column string) certify.Quantity {
	if column == "GenKnow" {
		return certify.Score(compromised, column)
	}
	return certify.Difference(certify.Score(compromised, column), certify.Score(clean, column))
}

// share converts a margin on the paper's scale to a share of the printed span.
func share(margin float64, column string) float64 { return margin / printedSpans[column] }

// alike requires that two values of a column differ by less than a margin on the paper's scale.
func alike(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.WithinShare(share(margin, column), span(column), a, b)
}
