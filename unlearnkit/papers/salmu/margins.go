package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// margin is the distance, on the paper's scale, at which two numbers of a column still count as alike. The paper gives
// no margins: all are ours, and each says what the paper prints of the numbers that it compares.
type margin struct {
	size   float64
	column string
	beside string // what the paper prints of the numbers that are compared
}

// Margins of the claims.
var (
	asLeaky       = margin{.005, "RetFail", "differences up to .001"}
	nearlyAsLeaky = margin{.01, "RetFail", "a difference of .003"}
	steadyCosines = margin{.03, "AssocStr", "differences of .004 to .019"}
	untouched     = margin{.05, "AssocStr", "a difference of .005"}
	likeForgotten = margin{.01, "AssocStr", "a difference of .001"}
	asForgotten   = margin{.012, "AssocStr", "differences up to .010"}
	slightLoss    = margin{.014, "GenKnow", "losses of .007 and .004"}
	twentieth     = margin{.05 * .638, "GenKnow", "losses up to .006"}
)

// nineTenths describes the margin of claims that nearly the whole leak is removed.
const nineTenths = "a tenth of Compromised's RetFail (ours)"

// ownBorders describes the borders between the types of failure.
func ownBorders() string {
	t := metric.DefaultFailureThresholds()
	return fmt.Sprintf("%g of the leak, %g of GenKnow, %g of the holdouts' cosines (ours, "+
		"fitted to the printed types)", t.Leak, t.GenKnow, t.Holdout)
}

// printedSpans holds, for each column, the printed distance between the models that the metric should distinguish.
// Models on generated data have other distances, so margins are shares of this distance instead of absolute numbers.
// For forgetting and cosines, the distance is from Clean to Compromised. For general knowledge, which both models have,
// it is from zero to Compromised.
var printedSpans = map[string]float64{
	"RetFail": .236 - .001, "AssocStr": .322 - .142, "ACS": .951 - .602, "IdZSC": .084 - .011, "GenKnow": .638,
}

// String describes the margin as a share of the span, with what the paper prints.
func (m margin) String() string {
	of := "the distance from Clean to Compromised"
	if m.column == "GenKnow" {
		of = "Compromised's GenKnow"
	}
	return fmt.Sprintf("%.1f %% of %s (ours; %.3g where the paper prints %s)", 100*m.share(), of, m.size, m.beside)
}

// share returns the margin as a share of the printed span.
func (m margin) share() float64 { return m.size / printedSpans[m.column] }

// span returns the distance between the models that a column should distinguish.
func span(column string) certify.Quantity {
	if column == "GenKnow" {
		return certify.Score(compromised, column)
	}
	return certify.Difference(certify.Score(compromised, column), certify.Score(clean, column))
}

// alike requires that two numbers differ by less than the margin.
func (m margin) alike(a, b certify.Quantity) []certify.Condition {
	return certify.With(m.String(), certify.WithinShare(m.share(), span(m.column), a, b))
}

// near requires that the scores of two models differ by less than the margin.
func (m margin) near(a, b string) certify.Relation {
	return func(column string) []certify.Condition {
		return m.alike(certify.Score(a, column), certify.Score(b, column))
	}
}

// hardlyAbove requires that the score of a exceeds the score of b by less than the margin.
func (m margin) hardlyAbove(a, b string) certify.Relation { return m.beyond(-1, a, b) }

// wellAbove requires that the score of a exceeds the score of b by more than the margin.
func (m margin) wellAbove(a, b string) certify.Relation { return m.beyond(1, a, b) }

// beyond requires that the score of a exceeds the score of b by more than the margin (sign 1) or by less (sign -1).
func (m margin) beyond(sign float64, a, b string) certify.Relation {
	return func(column string) []certify.Condition {
		return certify.With(m.String(), certify.MoreThan(0, func(means certify.Means) float64 {
			more := certify.Score(a, column)(means) - certify.Score(b, column)(means)
			return sign * (more - m.share()*span(m.column)(means))
		}))
	}
}

// likeHoldouts requires that models give the captions of the holdouts nearly the same cosines as the captions of the
// forget set.
func (m margin) likeHoldouts(models ...string) certify.Relation {
	return func(column string) []certify.Condition {
		var parts [][]certify.Condition
		for _, model := range models {
			for _, holdout := range []string{"InterIdSim", "IntraIdSim"} {
				parts = append(parts, m.alike(certify.Score(model, holdout), certify.Score(model, column)))
			}
		}
		return certify.All(parts...)
	}
}
