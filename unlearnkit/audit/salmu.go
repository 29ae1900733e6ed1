package audit

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

var (
	salmuEfficacy = []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc"}
	salmuUtility  = []string{"GenKnow", "InterIdSim", "IntraIdSim", "VisIdInt", "FragSim"}
)

// SALMU checks the printed numbers of SALMUBench.
var SALMU = Audit{"salmu", auditSALMU}

// auditSALMU runs all checks of SALMUBench's supplement.
func auditSALMU(l *ledger) {
	l.auditSplits()
	l.auditDenominators()
	l.auditTargets()
	l.auditChance()
	l.auditCleanRegime()
	l.auditHoldouts()
	l.auditBudgets()
	l.auditFailureTypes()
	l.auditSanityCheck()
	l.auditDomainGap()
	l.auditSALMUText()
}

// count returns the value of a cell that counts rows or identities.
func (l *ledger) count(item, row, column string) int { return int(value(l.at(item, row, column))) }

// auditSplits checks that the sizes of splits add up.
func (l *ledger) auditSplits() {
	for _, sum := range []struct {
		whole, column string
		parts         []string
	}{
		{"sensitive", "rows", []string{"forget", "holdout_association", "holdout_identity"}},
		{"sensitive", "identities", []string{"forget", "holdout_identity"}},
		{"forget", "rows", []string{"forget_identity", "forget_association"}},
		{"forget", "identities", []string{"forget_identity", "forget_association"}},
	} {
		total := 0
		for _, part := range sum.parts {
			total += l.count("splits", part, sum.column)
		}
		l.compare(l.at("splits", sum.whole, sum.column), "sum of the parts", float64(total), point(float64(total)),
			same("The parts are disjoint and make the whole."))
	}
	l.repeat(l.at("text", "personas", "kept"), l.at("splits", "sensitive", "identities"),
		same("The personas kept are the sensitive identities."))
	personas, images := value(l.at("text", "personas", "kept")), value(l.at("splits", "sensitive", "rows"))
	l.add(l.at("text", "personas", "fewest images"), "images a persona",
		fmt.Sprintf("%.1f on average", images/personas), Consistent,
		"The average number of images kept exceeds the least number allowed.")
}

// auditDenominators checks that proportions printed by the official evaluator are whole numbers of rows.
func (l *ledger) auditDenominators() {
	for _, model := range l.rows("evaluator") {
		for _, of := range []struct{ column, split string }{{"R@1", "forget"}, {"ACS", "forget"},
			{"IdZSC", "forget_identity"}} {
			n := l.count("splits", of.split, "rows")
			computed, verdict, reason := proportion(l.at("evaluator", model, of.column), n, 1)
			if l.at("evaluator", model, of.column).Value == "0" {
				computed, verdict, reason = fmt.Sprintf("0/%d", n), Consistent,
					"No row counts, whatever the number of rows."
			}
			l.add(l.at("evaluator", model, of.column), fmt.Sprintf("a whole number of the %d rows of %s", n, of.split),
				computed, verdict, reason)
		}
	}
}

// auditTargets compares the values of the Clean and Compromised models in all tables with each other and with the
// official evaluator's values.
func (l *ledger) auditTargets() {
	rounding := same("The official evaluator's value on the released model rounds to it.")
	for _, column := range salmuEfficacy {
		clean := l.at("table4", "Clean", column)
		for _, model := range []string{"Clean", "Compromised"} {
			l.repeat(l.at("table4", model, column), l.at("evaluator", model, column), rounding)
		}
		l.repeat(l.at("table5", "Target Scores", column), clean,
			same("The efficacy target is the Clean model of Table 4."))
		l.repeat(l.at("table6", "Clean (Reference)", column), clean,
			same("The reference is the Clean model of Table 4."))
	}
	for _, column := range salmuUtility[1:] {
		l.repeat(l.at("table5", "Target Scores", column), l.at("evaluator", "Compromised", column), rounding)
		l.repeat(l.at("table6", "Clean (Reference)", column), l.at("evaluator", "Clean", column), rounding)
	}
}

// auditChance compares models that never saw the sensitive pairs with random guessing.
func (l *ledger) auditChance() {
	identities := float64(l.count("splits", "forget_identity", "identities"))
	// number of captions that each image is compared with in the official evaluator: 1,000 of the forget set, 1,000 of
	// the retain set, and the true one
	const gallery = 2001
	harmonic := 0.
	for i := 1; i <= gallery; i++ {
		harmonic += 1 / float64(i)
	}
	for _, guess := range []struct {
		column string
		level  float64
	}{{"IdZSC", 1 / identities}, {"ACS", .5}, {"RetFail", harmonic / gallery}} {
		for _, model := range []string{"Clean", "LAION-400M"} {
			cell := l.at("table4", model, guess.column)
			where := "at"
			switch s := span(cell); {
			case s.lo > guess.level:
				where = "above"
			case s.hi < guess.level:
				where = "below"
			}
			l.add(cell, "chance level", fmt.Sprintf("%s chance, %.4f", where, guess.level), Consistent,
				"A target need not be chance: names, faces and places go together even for a model that never saw "+
					"the pairs.")
		}
	}
}

// auditCleanRegime applies §10's McNemar test to the two models that never saw the sensitive pairs. If one model alone
// is right in b rows and the other alone in c rows, the statistic is (b−c)²/(b+c). The printed totals determine b − c
// and bound b + c. They therefore bound the p-value for any pairing.
func (l *ledger) auditCleanRegime() {
	for _, of := range []struct{ column, split string }{{"ACS", "forget"}, {"IdZSC", "forget_identity"}} {
		n := l.count("splits", of.split, "rows")
		cell := l.at("table4", "LAION-400M", of.column)
		clean, _ := counts(l.at("evaluator", "Clean", of.column), n, 1)
		low, high := counts(cell, n, 1)
		largest := 0.
		for right := low; right <= high; right++ {
			alone := min(right+clean, 2*int64(n)-right-clean)
			z := math.Abs(float64(right-clean)) / math.Sqrt(float64(alone))
			largest = max(largest, math.Erfc(z/math.Sqrt2))
		}
		l.add(cell, "McNemar's test against Clean, whatever the pairing", fmt.Sprintf("p at most %.0e", largest),
			Consistent,
			"By §10's criterion a model that never saw the pairs differs from Clean, so that the criterion asks for "+
				"more than not having seen them.")
	}
}

// auditHoldouts checks the statement that forgetting spreads to pairs that no method was trained on.
func (l *ledger) auditHoldouts() {
	const margin = .01
	for _, item := range []string{"table5", "table6"} {
		for _, row := range l.rows(item) {
			association := l.at(item, row, "AssocStr")
			if row == "Target Scores" {
				association = l.at("table4", "Compromised", "AssocStr")
			}
			for _, column := range []string{"InterIdSim", "IntraIdSim"} {
				cell := l.at(item, row, column)
				distance, verdict := span(cell).sub(span(association)).abs(), Consistent
				if distance.lo > margin {
					verdict = Inconsistent
				}
				l.add(cell, "holdouts follow AssocStr within .01",
					fmt.Sprintf("%.3f away", math.Abs(value(cell)-value(association))), verdict,
					"The similarity of held-out pairs moves with that of the forgotten ones: nothing is forgotten "+
						"selectively.")
			}
		}
	}
}

// auditDomainGap recomputes the p-values of §9 from the printed statistics and the 100 images per sample.
func (l *ledger) auditDomainGap() {
	const n = 100
	for _, row := range []string{"Real against synthetic, Clean", "Real against synthetic, Compromised"} {
		statistic, p := l.at("text", row, "KS statistic"), l.at("text", row, "p")
		computed, verdict, reason := proportion(statistic, n, 1)
		l.add(statistic, "a multiple of 1/100", computed, verdict, reason)
		exact := stat.KS2P(value(statistic), n, n, stat.Exact)
		l.compare(p, "exact two-sample p-value", exact, point(exact),
			same("The exact distribution of the statistic for two samples of 100."))
	}
}

// auditSALMUText compares numbers in the text with the tables.
func (l *ledger) auditSALMUText() {
	for _, r := range []struct{ row, column, item, tableRow, tableColumn string }{
		{"independent model tracks Clean", "LAION-400M RetFail", "table4", "LAION-400M", "RetFail"},
		{"independent model tracks Clean", "Clean RetFail", "table4", "Clean", "RetFail"},
		{"Generic Captions on Clean", "InterIdSim", "table6", "Generic Captions/5x", "InterIdSim"},
		{"Generic Captions on Clean", "InterIdSim of the reference", "table6", "Clean (Reference)", "InterIdSim"},
		{"Generic Captions on Clean", "GenKnow", "table6", "Generic Captions/5x", "GenKnow"},
		{"Generic Captions on Clean", "GenKnow of the reference", "table6", "Clean (Reference)", "GenKnow"},
		{"Negative Gradient on Clean", "GenKnow", "table6", "Negative Gradient/5x", "GenKnow"},
		{"Negative Gradient on Clean", "AssocStr", "table6", "Negative Gradient/5x", "AssocStr"},
		{"Direct Similarity Minimization on Clean", "AssocStr", "table6", "Direct Sim. Min./5x", "AssocStr"},
		{"baseline alignment of Clean", "AssocStr", "table6", "Clean (Reference)", "AssocStr"},
	} {
		text, table := l.at("text", r.row, r.column), l.at(r.item, r.tableRow, r.tableColumn)
		l.repeat(text, table, same("The text quotes the table."))
	}
	l.repeat(l.at("table6", "Clean (Reference)", "GenKnow"),
		l.at("text", "Generic Captions on Clean", "GenKnow of the reference"),
		same("The text quotes the table."))
}

// pair returns two cells of an item's column, in rows a and b.
func (l *ledger) pair(item, column, a, b string) (papers.Cell, papers.Cell) {
	return l.at(item, a, column), l.at(item, b, column)
}
