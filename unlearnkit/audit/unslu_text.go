package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// auditUnSLUTable5 checks the efficiencies that Table 5 implies. The original models of the table are trained for 5 to
// 60 epochs, and each is unlearned with one epoch of NG+. Data and model are the same as in one column of Table 2.
func (l *ledger) auditUnSLUTable5(seconds interval) {
	const column = "SLURP*/wav2vec 2.0/"
	for _, same60 := range [][3]string{{"F1_T(g)", "Gold", "F1_T"}, {"MIA(g)", "Gold", "MIA"},
		{"MIA(o)", "Orig.", "MIA"}} {
		l.repeat(l.at("table5", "60", same60[0]), l.at("table2", same60[1], column+same60[2]),
			same("The 60-epoch models of Table 5 are Table 2's."))
	}
	rows := l.epochRows()
	var behind []interval
	for _, r := range rows {
		behind = append(behind, impliedEfficiency(span(r.cell), r.utilitySpan, r.efficacySpan))
	}
	common := shared(behind)
	middle := (common.lo + common.hi) / 2
	for _, r := range rows {
		l.compare(r.cell, "one efficiency for all epochs", gum(r.utility, r.efficacy, middle),
			gumSpan(r.utilitySpan, r.efficacySpan, common),
			same("One and the same T explains all five rows, although the retraining it is relative to takes 5 to 60 "+
				"epochs."))
	}
	l.claim("table5", "all epochs", "GUM", "", "one efficiency for all epochs", "T in "+common.text(4), Consistent,
		"The five rows share a T, as if one retraining time had been used for all of them.")

	last := rows[len(rows)-1]
	speedup := l.at("table2", "NG+", column+"Speedup")
	ours := efficiency((seconds.lo+seconds.hi)/2, value(speedup))
	l.compare(last.cell, "efficiency of Table 2's NG+", gum(last.utility, last.efficacy, ours),
		gumSpan(last.utilitySpan, last.efficacySpan, efficiencySpan(seconds, speedupSpan(speedup))),
		same("NG+ on the same model and data is 41.63 times faster than retraining in Table 2; with that speed-up "+
			"this GUM would be lower."))
	l.auditShorterRetraining(rows, common, seconds)
}

// epochRow is one line of Table 5.
type epochRow struct {
	epochs                    float64
	cell                      papers.Cell
	utility, efficacy         float64
	utilitySpan, efficacySpan interval
}

// epochRows returns the lines of Table 5. The utility is macro F1, because the table prints no accuracies.
func (l *ledger) epochRows() []epochRow {
	var rows []epochRow
	for _, epochs := range l.rows("table5") {
		at := func(column string) papers.Cell { return l.at("table5", epochs, column) }
		rows = append(rows, epochRow{
			epochs: value(papers.Cell{Value: epochs}), cell: at("GUM"),
			utility:      1 - math.Abs(value(at("F1_T(g)"))-value(at("F1_T"))),
			efficacy:     efficacy(value(at("MIA")), value(at("MIA(g)")), value(at("MIA(o)"))),
			utilitySpan:  utilitySpan(span(at("F1_T(g)")), span(at("F1_T"))),
			efficacySpan: efficacySpan(span(at("MIA")), span(at("MIA(g)")), span(at("MIA(o)"))),
		})
	}
	return rows
}

// auditShorterRetraining checks Table 5 on two assumptions: the retraining time is proportional to the number of
// epochs, and the epoch of NG+ always takes the same time.
func (l *ledger) auditShorterRetraining(rows []epochRow, atSixty, sixtyEpochs interval) {
	shorter := func(epochs float64) func(v []float64) float64 {
		return func(v []float64) float64 { return 1 - (1-v[0])*math.Log1p(v[1])/math.Log1p(v[1]*epochs/60) }
	}
	for _, r := range rows[:len(rows)-1] {
		face := shorter(r.epochs)([]float64{(atSixty.lo + atSixty.hi) / 2, (sixtyEpochs.lo + sixtyEpochs.hi) / 2})
		enclosure := corners(shorter(r.epochs), atSixty, sixtyEpochs).intersect(interval{0, 1})
		l.compare(r.cell, "retraining time proportional to the epochs", gum(r.utility, r.efficacy, face),
			gumSpan(r.utilitySpan, r.efficacySpan, enclosure),
			same("A retraining of fewer epochs is faster, which lowers the efficiency of the same unlearning; the "+
				"printed GUM does not fall."))
	}
}

// auditUnSLUText compares numbers in the text of §4 with the tables.
func (l *ledger) auditUnSLUText() {
	l.auditGains()
	wrongRange := reasons{
		reproduced:   "The extreme of the cells that the sentence describes.",
		consistent:   "Near the extreme of the cells that the sentence describes.",
		inconsistent: "A cell that the sentence describes lies outside the range.",
	}
	for _, method := range []string{"FT", "SCRUB", "UNSIR"} {
		l.extremes(method+" speedups", l.unsluCells(method, "Speedup"), wrongRange)
	}
	massive := func(row string) []papers.Cell { return l.unsluCells(row, "MIA")[6:] }
	l.extremes("CF-k MIA in SpeechMASSIVE", massive("CF-k"), wrongRange)
	l.extremes("gold MIA in SpeechMASSIVE", massive("Gold"), wrongRange)
	short := func(column string) []papers.Cell {
		return l.where("table5", func(c papers.Cell) bool { return c.Column == column && c.Row != "60" })
	}
	l.extremes("5-15 epochs MIA", short("MIA"), wrongRange)
	l.extremes("5-15 epochs gold MIA", short("MIA(g)"), wrongRange)

	face, enclosure := highest([]papers.Cell{l.at("table1", "NG", "FSC/wav2vec 2.0/Speedup"),
		l.at("table1", "NG", "FSC/HuBERT/Speedup")})
	l.compare(l.at("text", "NG largest speedup on FSC", "Speedup"), "largest of the cells described", face, enclosure,
		same("1748 is NG's speed-up on SLURP* with wav2vec 2.0; on FSC its largest is 206.9."))
	l.auditUnSLURepeats()
	l.auditUnSLUClaims()
}

// auditUnSLUClaims checks comparisons in §4 that state no number.
func (l *ledger) auditUnSLUClaims() {
	english := func(method string) []papers.Cell { return l.unsluCells(method, "GUM")[:4] }
	others := func(method string) []papers.Cell { return l.unsluCells(method, "GUM")[4:] }
	near, far := mean(append(english("BT"), english("BT-L")...)), mean(append(others("BT"), others("BT-L")...))
	l.claim("text", "BT and BT-L on FSC and SLURP against the multilingual sets", "GUM", "good against poor",
		"mean GUM of BT and BT-L",
		fmt.Sprintf("%.3f on FSC and SLURP*, %.3f on ITALIC and SpeechMASSIVE", near, far), verdictOf(near > far),
		"§4 finds them good on FSC and SLURP and poor on the multilingual sets; their mean GUM is lower on the "+
			"former, with three values of .000.")

	var ratios []float64
	for i, ng := range l.unsluCells("NG", "Speedup") {
		ratios = append(ratios, value(ng)/value(l.unsluCells("NG+", "Speedup")[i]))
	}
	l.claim("text", "NG+ speed-up against NG", "Speedup", "one order of magnitude lower", "NG's speed-up over NG+'s",
		fmt.Sprintf("%.0f to %.0f times", slices.Min(ratios), slices.Max(ratios)), Consistent,
		"At least one order of magnitude, nearly two.")

	podium := 0
	for i, ng := range l.unsluCells("NG", "MIA") {
		gold, place := value(l.unsluCells("Gold", "MIA")[i]), 1
		for _, method := range unsluMethods {
			if math.Abs(value(l.unsluCells(method, "MIA")[i])-gold) < math.Abs(value(ng)-gold) {
				place++
			}
		}
		if place <= 2 {
			podium++
		}
	}
	l.claim("text", "NG's MIA close to gold", "MIA", "often ranking first or second",
		"place of NG's MIA by distance to gold",
		fmt.Sprintf("first or second in %d of 10 columns", podium), Consistent, "§4 gives no number for often.")
}

func mean(cells []papers.Cell) float64 {
	sum := 0.
	for _, c := range cells {
		sum += value(c)
	}
	return sum / float64(len(cells))
}

// auditGains recomputes how much NG's GUM exceeds the second-best GUM of a column.
func (l *ledger) auditGains() {
	const row = "NG outperforms the second-best approach"
	for _, at := range [][2]string{{"table1", "FSC/wav2vec 2.0"}, {"table2", "SLURP*/wav2vec 2.0"},
		{"table2", "ITALIC/XLS-R 53-IT"},
		{"table3", "de-De/XLS-R 53-DE"}, {"table3", "fr-FR/XLS-R 53-FR"}} {
		ng := l.at(at[0], "NG", at[1]+"/GUM")
		second, secondSpan := highest(l.where(at[0], func(c papers.Cell) bool {
			return c.Column == at[1]+"/GUM" && c.Row != "NG"
		}))
		gain := func(v []float64) float64 { return 100 * (v[0]/v[1] - 1) }
		l.compare(l.at("text", row, at[1]+"/GUM gain"), "NG's GUM over the column's second",
			gain([]float64{value(ng), second}), corners(gain, span(ng), secondSpan),
			same("The ratio of the two largest GUM of the column."))
	}
	l.claim("text", "NG achieves the highest GUM", "columns", "consistently",
		"NG consistently achieves the highest GUM",
		fmt.Sprintf("%d of 10 columns", l.columnsWonByNG()), Inconsistent,
		"On FSC with HuBERT NG's GUM is .000 and CF-k's .642.")
}

func (l *ledger) columnsWonByNG() int {
	won := 0
	for _, e := range l.entries {
		if e.Check == "NG consistently achieves the highest GUM" && e.Verdict == Reproduced {
			won++
		}
	}
	return won
}

// auditUnSLURepeats compares numbers in the text with the table cells that they repeat.
func (l *ledger) auditUnSLURepeats() {
	const slurp = "SLURP*/wav2vec 2.0/"
	for _, r := range []struct{ row, column, item, tableRow, tableColumn string }{
		{"NG+ catastrophic forgetting", "ITALIC/XLS-R 128/F1_F", "table2", "NG+", "ITALIC/XLS-R 128/F1_F"},
		{"NG+ catastrophic forgetting", "fr-FR/XLS-R 128/F1_F", "table3", "NG+", "fr-FR/XLS-R 128/F1_F"},
		{"FT close to gold", "ITALIC/XLS-R 128/F1_T FT", "table2", "FT", "ITALIC/XLS-R 128/F1_T"},
		{"FT close to gold", "ITALIC/XLS-R 128/F1_T Gold", "table2", "Gold", "ITALIC/XLS-R 128/F1_T"},
		{"UNSIR NoMUS", "NoMUS", "table4", "UNSIR", "NoMUS"},
		{"NG faster than retraining", "Speedup", "table2", "NG", slurp + "Speedup"},
		{"SCRUB faster than retraining", "Speedup", "table2", "SCRUB", slurp + "Speedup"},
		{"NG against SCRUB", "NG GUM", "table4", "NG", "GUM"},
		{"NG against SCRUB", "SCRUB GUM", "table4", "SCRUB", "GUM"},
		{"60 epochs", "F1_T", "table5", "60", "F1_T"},
		{"60 epochs", "F1_T(g)", "table5", "60", "F1_T(g)"},
		{"60 epochs", "MIA", "table5", "60", "MIA"},
		{"60 epochs", "MIA(o)", "table5", "60", "MIA(o)"},
		{"11 epochs", "F1_T", "table5", "11", "F1_T"},
		{"11 epochs", "MIA", "table5", "11", "MIA"},
	} {
		l.repeat(l.at("text", r.row, r.column), l.at(r.item, r.tableRow, r.tableColumn),
			same("The text quotes the table."))
	}
}
