package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// UnSLU checks the printed numbers of UnSLU-BENCH.
var UnSLU = Audit{"unslu", auditUnSLU}

// auditUnSLU runs all checks of “"Alexa, can you forget me?" Machine Unlearning Benchmark in Spoken Language
// Understanding”.
func auditUnSLU(l *ledger) {
	seconds := map[string]interval{}
	for _, item := range []string{"table1", "table2", "table3"} {
		for _, column := range unsluTables[item] {
			seconds[column] = l.auditGUM(item, column)
			l.auditSpeedup(item, column)
			l.auditRanking(item, column)
			l.auditForgetShare(item, column)
		}
	}
	l.auditPaddedSpeedups()
	l.auditFSCNoise()
	l.auditUnSLUTable4()
	l.auditUnSLUTable5(seconds["SLURP*/wav2vec 2.0"])
	l.auditUnSLUText()
}

// unsluCells returns a row's cells for one quantity in every column of the three result tables.
func (l *ledger) unsluCells(row, quantity string) []papers.Cell {
	var cells []papers.Cell
	for _, item := range []string{"table1", "table2", "table3"} {
		for _, column := range unsluTables[item] {
			cells = append(cells, l.at(item, row, column+"/"+quantity))
		}
	}
	return cells
}

func (l *ledger) auditSpeedup(item, column string) {
	for _, row := range []string{"Orig.", "Gold"} {
		l.compare(l.at(item, row, column+"/Speedup"), "speed-up of the trivial models", 1, point(1),
			same("The table's convention: neither the original model nor a retraining is faster than a retraining."))
	}
}

// auditRanking checks two statements of §4 in every column: NG has the highest GUM, and CF-k is the second most
// efficient.
func (l *ledger) auditRanking(item, column string) {
	why := reasons{
		reproduced:   "The order of the printed values, whatever their rounding.",
		consistent:   "The printed values are too close to say.",
		inconsistent: "§4 says so without exception; the printed values say otherwise.",
	}
	for _, claim := range []struct {
		method, quantity, check string
		place                   int
	}{
		{"NG", "GUM", "NG consistently achieves the highest GUM", 1},
		{"CF-k", "Speedup", "CF-k is the second-most efficient method", 2},
	} {
		cell := l.at(item, claim.method, column+"/"+claim.quantity)
		surelyAbove, maybeAbove := 0, 0
		for _, other := range unsluMethods {
			if other == claim.method {
				continue
			}
			theirs := span(l.at(item, other, column+"/"+claim.quantity))
			if theirs.lo > span(cell).hi {
				surelyAbove++
			}
			if theirs.hi >= span(cell).lo {
				maybeAbove++
			}
		}
		verdict := Consistent
		switch {
		case surelyAbove == claim.place-1 && maybeAbove == claim.place-1:
			verdict = Reproduced
		case surelyAbove > claim.place-1 || maybeAbove < claim.place-1:
			verdict = Inconsistent
		}
		l.add(cell, claim.check, fmt.Sprintf("%d of %d methods are above it", surelyAbove, len(unsluMethods)-1),
			verdict, why.of(verdict))
	}
}

// auditForgetShare infers |D_f|/|D_t| from two printed times. NG trains one epoch on the forget set and FT one epoch on
// the retain set, and each example costs the same. The ratio of the speed-ups is therefore |D_r|/|D_f|.
func (l *ledger) auditForgetShare(item, column string) {
	share, enclosure := l.forgetShare(item, column)
	allowed := span(l.at("text", "forget share of training",
		"lowest")).hull(span(l.at("text", "forget share of training", "highest")))
	verdict := Consistent
	if !enclosure.meets(allowed) {
		verdict = Inconsistent
	}
	l.claim(item, "forget share of training", column, "2.5-5 %", "forget share from the speed-ups of FT and NG",
		fmt.Sprintf("%.2f %%", share), verdict,
		"An epoch of NG costs as much time for the forget set as one of FT for the retain set.")
}

func (l *ledger) forgetShare(item, column string) (percent float64, enclosure interval) {
	ft, ng := l.at(item, "FT", column+"/Speedup"), l.at(item, "NG", column+"/Speedup")
	share := func(v []float64) float64 { return 100 * v[0] / (v[0] + v[1]) }
	return share([]float64{value(ft), value(ng)}), corners(share, speedupSpan(ft), speedupSpan(ng))
}

// auditPaddedSpeedups counts final zeros of speed-ups below ten. They justify the use of only two decimals in
// [speedupSpan].
func (l *ledger) auditPaddedSpeedups() {
	zeros, all := 0, 0
	for _, method := range unsluMethods {
		for _, c := range l.unsluCells(method, "Speedup") {
			if value(c) < 10 {
				all++
				if c.Value[len(c.Value)-1] == '0' {
					zeros++
				}
			}
		}
	}
	l.claim("table1", "speed-ups below ten", "Speedup", "three decimals", "digits of the speed-ups",
		fmt.Sprintf("%d of %d end in 0", zeros, all),
		NotDerivable, "The third decimal is padding to four digits and carries no information; the audit reads two "+
			"decimals.")
}

// auditFSCNoise compares the difference of the MIA accuracies of the original and the gold model on FSC with its
// sampling error. The attack is scored on equally many unseen and forgotten utterances. The standard error of its
// accuracy is therefore about .5/sqrt(2|D_f|).
func (l *ledger) auditFSCNoise() {
	training := value(l.at("datasets", "FSC", "training utterances"))
	for _, column := range unsluTables["table1"] {
		share, _ := l.forgetShare("table1", column)
		gold := l.at("table1", "Gold", column+"/MIA")
		gap := math.Abs(value(l.at("table1", "Orig.", column+"/MIA")) - value(gold))
		standardError := .5 / math.Sqrt(2*training*share/100)
		l.add(gold, "distance to the original against sampling error",
			fmt.Sprintf("distance %.3f, standard error %.3f", gap, standardError), NotDerivable,
			"The distance that efficacy is measured on is below its standard error, so that FSC's efficacy and GUM "+
				"cannot be told from noise.")
	}
}

// auditUnSLUTable4 checks that Table 4 repeats Table 2. It also checks NoMUS with macro F1 and with accuracy as the
// utility. NoMUS has a kink at MIA = .5, which is below all values of the table.
func (l *ledger) auditUnSLUTable4() {
	const column = "SLURP*/wav2vec 2.0/"
	for _, row := range l.rows("table4") {
		for _, quantity := range []string{"F1_T", "MIA", "Speedup", "GUM"} {
			l.repeat(l.at("table4", row, quantity), l.at("table2", row, column+quantity),
				same("Table 4 repeats cells of Table 2."))
		}
		nomus := func(v []float64) float64 { return metric.NoMUS(v[0], v[1], metric.NoMUSWeight) }
		cell, mia := l.at("table4", row, "NoMUS"), l.at("table4", row, "MIA")
		for _, reading := range []struct {
			check   string
			utility papers.Cell
			why     reasons
		}{
			{"NoMUS with macro F1", l.at("table4", row, "F1_T"), same("The average of macro F1 and 1 - 2|MIA - .5|.")},
			{"NoMUS with test accuracy", l.at("accuracy", row, column+"Acc_T"),
				same("§4 calls NoMUS the average of model accuracy and MIA; with the README's accuracies it is " +
					"another number.")},
		} {
			l.compare(cell, reading.check, nomus([]float64{value(reading.utility), value(mia)}),
				corners(nomus, span(reading.utility), span(mia)), reading.why)
		}
	}
}

// shared returns the intersection of all intervals.
func shared(spans []interval) interval {
	all := interval{math.Inf(-1), math.Inf(1)}
	for _, s := range spans {
		all = all.intersect(s)
	}
	return all
}

// lowest returns the smallest of some printed numbers, with an enclosure.
func lowest(cells []papers.Cell) (face float64, enclosure interval) {
	return extreme(cells, func(a, b float64) float64 { return min(a, b) })
}

func highest(cells []papers.Cell) (face float64, enclosure interval) {
	return extreme(cells, func(a, b float64) float64 { return max(a, b) })
}

func extreme(cells []papers.Cell, better func(a, b float64) float64) (face float64, enclosure interval) {
	face, enclosure = value(cells[0]), span(cells[0])
	for _, c := range cells[1:] {
		face = better(face, value(c))
		enclosure = interval{better(enclosure.lo, span(c).lo), better(enclosure.hi, span(c).hi)}
	}
	return face, enclosure
}

// extremes compares the ends of a range that the text states with the smallest and largest of the cells that it
// describes.
func (l *ledger) extremes(row string, cells []papers.Cell, why reasons) {
	face, enclosure := lowest(cells)
	l.compare(l.at("text", row, "lowest"), "least of the cells described", face, enclosure, why)
	face, enclosure = highest(cells)
	l.compare(l.at("text", row, "highest"), "largest of the cells described", face, enclosure, why)
}

// where returns the cells of an item that satisfy a condition, in page order.
func (l *ledger) where(item string, wanted func(papers.Cell) bool) []papers.Cell {
	return slices.DeleteFunc(slices.Clone(l.cells[item]), func(c papers.Cell) bool { return !wanted(c) })
}
