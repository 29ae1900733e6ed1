package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// printedSpans are the printed distances between the models that a metric should distinguish. Small worlds have other
// distances, so margins are equal shares of the distance and not equal numbers. For forgetting and cosines it is the
// distance from Clean to Compromised. For general knowledge, which both models have, it is the distance from zero to
// Compromised.
var printedSpans = map[string]float64{
	"RetFail": .236 - .001, "AssocStr": .322 - .142, "ACS": .951 - .602, "IdZSC": .084 - .011, "GenKnow": .638,
}

// twentieth is one twentieth of Compromised's general knowledge on the paper's scale.
const twentieth = .05 * .638

// span returns the distance between the models that a column should distinguish.
func span(column string) certify.Quantity {
	if column == "GenKnow" {
		return value(compromised, column)
	}
	return certify.Difference(value(compromised, column), value(clean, column))
}

// share returns a margin on the paper's scale as a share of the printed span.
func share(margin float64, column string) float64 { return margin / printedSpans[column] }

// alike requires that two values of a column differ by less than a margin on the paper's scale.
func alike(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.WithinShare(share(margin, column), span(column), a, b)
}

// lessBy requires that a exceeds b by less than a margin on the paper's scale.
func lessBy(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.MoreThan(0, func(m certify.Means) float64 {
		return share(margin, column)*span(column)(m) - (a(m) - b(m))
	})
}

// moreBy requires that a exceeds b by more than a margin on the paper's scale.
func moreBy(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.MoreThan(0, func(m certify.Means) float64 {
		return a(m) - b(m) - share(margin, column)*span(column)(m)
	})
}
