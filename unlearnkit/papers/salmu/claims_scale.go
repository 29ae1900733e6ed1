package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// The paper's models and those of small worlds lie apart by other amounts, so margins are the same share of what lies
// between the models that a metric should tell apart: from Clean to Compromised of what is to be forgotten and of
// cosines, from nothing to Compromised of general knowledge, which the two have alike.
var printedSpans = map[string]float64{
	"RetFail": .236 - .001, "AssocStr": .322 - .142, "ACS": .951 - .602, "IdZSC": .084 - .011, "GenKnow": .638,
}

// twentieth is a twentieth of what Compromised knows, on the paper's scale.
const twentieth = .05 * .638

// span is what lies between the models that a column should tell apart.
func span(column string) certify.Quantity {
	if column == "GenKnow" {
		return value(compromised, column)
	}
	return certify.Difference(value(compromised, column), value(clean, column))
}

// share is what a margin on the paper's scale is of that.
func share(margin float64, column string) float64 { return margin / printedSpans[column] }

// alike is that two values of a column's scale differ by less than what is a margin on the paper's scale.
func alike(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.WithinShare(share(margin, column), span(column), a, b)
}

// lessBy is that a lies less above b than what is a margin on the paper's scale.
func lessBy(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.MoreThan(0, func(m certify.Means) float64 {
		return share(margin, column)*span(column)(m) - (a(m) - b(m))
	})
}

// moreBy is that a lies farther above b than what is a margin on the paper's scale.
func moreBy(margin float64, column string, a, b certify.Quantity) []certify.Condition {
	return certify.MoreThan(0, func(m certify.Means) float64 {
		return a(m) - b(m) - share(margin, column)*span(column)(m)
	})
}
