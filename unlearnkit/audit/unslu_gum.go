package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// unsluTables maps each result table of UnSLU-BENCH to its columns.
var unsluTables = map[string][]string{
	"table1": {"FSC/wav2vec 2.0", "FSC/HuBERT"},
	"table2": {"SLURP*/wav2vec 2.0", "SLURP*/HuBERT", "ITALIC/XLS-R 128", "ITALIC/XLS-R 53-IT"},
	"table3": {"de-De/XLS-R 128", "de-De/XLS-R 53-DE", "fr-FR/XLS-R 128", "fr-FR/XLS-R 53-FR"},
}

// unsluMethods lists the unlearning methods. In the tables, the rows above them are the original and the gold model.
var unsluMethods = []string{"FT", "NG", "NG+", "CF-k", "UNSIR", "BT", "BT-L", "SCRUB"}

// gumRow holds the printed values of a method in one column of a result table, and their intervals.
type gumRow struct {
	metric.RetrainRow
	method                                 string
	cell                                   papers.Cell
	utilitySpan, efficacySpan, speedupSpan interval
}

// times encloses the retraining times that explain the row's printed GUM.
func (r gumRow) times() interval {
	return retraining(impliedEfficiency(span(r.cell), r.utilitySpan, r.efficacySpan), r.speedupSpan)
}

// over encloses the row's GUM for an interval of retraining times.
func (r gumRow) over(seconds interval) interval {
	return gumSpan(r.utilitySpan, r.efficacySpan, efficiencySpan(seconds, r.speedupSpan))
}

// gumRows returns the methods of a column, with the variant's utility: accuracy from the README, or macro F1 from the
// table.
func (l *ledger) gumRows(item, column string, variant metric.GUMVariant) []gumRow {
	from, quantity := item, column+"/F1_T"
	if variant == metric.GUMOnAccuracy {
		from, quantity = "accuracy", column+"/Acc_T"
	}
	gold := l.at(from, "Gold", quantity)
	goldMIA, originalMIA := l.at(item, "Gold", column+"/MIA"), l.at(item, "Orig.", column+"/MIA")
	var rows []gumRow
	for _, method := range unsluMethods {
		own, mia := l.at(from, method, quantity), l.at(item, method, column+"/MIA")
		speedup, printed := l.at(item, method, column+"/Speedup"), l.at(item, method, column+"/GUM")
		in := metric.GUMInput{MIAUnlearned: value(mia), MIAGold: value(goldMIA), MIAOriginal: value(originalMIA)}
		if variant == metric.GUMOnAccuracy {
			in.AccuracyGold, in.AccuracyUnlearned = value(gold), value(own)
		} else {
			in.F1Gold, in.F1Unlearned = value(gold), value(own)
		}
		rows = append(rows, gumRow{
			RetrainRow: metric.RetrainRow{GUMInput: in, Speedup: value(speedup), Printed: value(printed)},
			method:     method, cell: printed,
			utilitySpan:  utilitySpan(span(gold), span(own)),
			efficacySpan: efficacySpan(span(mia), span(goldMIA), span(originalMIA)), speedupSpan: speedupSpan(speedup),
		})
	}
	return rows
}

// fitRetraining returns the retraining time that minimises the largest difference between computed and printed GUM.
func fitRetraining(rows []gumRow, variant metric.GUMVariant) float64 {
	var plain []metric.RetrainRow
	for _, r := range rows {
		plain = append(plain, r.RetrainRow)
	}
	const roundingOfGUM = .0005
	return metric.FitRetrainTime(plain, variant, roundingOfGUM).Seconds
}

// speedupSpan returns the interval of a printed speed-up. All speed-ups are printed with four digits. Below ten they
// have three decimals, and the last one is always 0. Therefore only two decimals are known.
func speedupSpan(c papers.Cell) interval {
	if value(c) < 10 && decimals(c.Value) == 3 {
		c.Value = strings.TrimSuffix(c.Value, "0")
	}
	return span(c)
}

// fewestDropped returns the smallest sets of rows without which one retraining time explains the other rows. Intervals
// have a common point exactly if all of them contain the left end of one of them.
func fewestDropped(rows []gumRow) (sets [][]string, left interval) {
	var spans []interval
	for _, r := range rows {
		spans = append(spans, r.times())
	}
	fewest := len(rows) + 1
	for _, candidate := range spans {
		common, dropped := interval{0, longest}, []string{}
		for i, s := range spans {
			if s.contains(candidate.lo) {
				common = common.intersect(s)
			} else {
				dropped = append(dropped, rows[i].method)
			}
		}
		switch {
		case candidate.empty() || len(dropped) > fewest:
			continue
		case len(dropped) < fewest:
			fewest, sets, left = len(dropped), nil, common
		}
		if !slices.ContainsFunc(sets, func(s []string) bool { return slices.Equal(s, dropped) }) {
			sets = append(sets, dropped)
		}
	}
	return sets, left
}

// auditGUM checks the GUM in one column for both definitions of the utility. It returns the retraining times that are
// possible with accuracy as the utility.
func (l *ledger) auditGUM(item, column string) interval {
	const accuracy, f1 = "GUM with test accuracy as utility", "GUM with macro F1 as utility"
	for _, row := range []string{"Orig.", "Gold"} {
		l.compare(l.at(item, row, column+"/GUM"), "GUM of the trivial models", 0, point(0),
			same("The original model has efficacy 0 and the gold model efficiency 0, so that GUM is 0."))
	}
	rows := l.gumRows(item, column, metric.GUMOnAccuracy)
	dropped, seconds := fewestDropped(rows)
	fitted := fitRetraining(rows, metric.GUMOnAccuracy)
	for _, r := range rows {
		l.compare(r.cell, accuracy, r.At(fitted, metric.GUMOnAccuracy).GUM, r.over(seconds), same(
			"With the accuracies of the official README and one retraining time for the column, §2.3's formula gives "+
				"the printed value."))
	}
	l.oneTime(item, column, accuracy, dropped, seconds)

	rows = l.gumRows(item, column, metric.GUMOnF1)
	dropped, left := fewestDropped(rows)
	for _, r := range rows {
		face, enclosure := r.At(fitted, metric.GUMOnF1).GUM, r.over(seconds)
		verdict := judge(face, enclosure, span(r.cell))
		reason := reasons{
			reproduced: "Macro F1 and accuracy lie so close here that §2.3's formula gives the printed value with " +
				"either.",
			consistent: "Within the rounding of its inputs §2.3's formula with macro F1 can give the printed value.",
			inconsistent: "§2.3 defines utility by macro F1, but at the column's retraining time no rounding of the " +
				"inputs gives the printed value.",
		}.of(verdict)
		if verdict != Inconsistent && slices.ContainsFunc(dropped, func(s []string) bool {
			return slices.Contains(s, r.method)
		}) {
			verdict = Inconsistent
			reason = "With macro F1 the column's rows need different retraining times, and dropping this row is one " +
				"of the least ways to reconcile them."
		}
		l.record(r.cell, f1, face, enclosure, verdict, reason)
	}
	l.oneTime(item, column, f1, dropped, left)
	return seconds
}

// oneTime records whether one retraining time explains all rows of a column.
func (l *ledger) oneTime(item, column, check string, dropped [][]string, seconds interval) {
	computed, verdict := "T(g) in "+seconds.text(0)+" s", Consistent
	reason := "One retraining time explains every row of the column."
	if len(dropped[0]) > 0 {
		var sets []string
		for _, s := range dropped {
			sets = append(sets, "{"+strings.Join(s, ", ")+"}")
		}
		computed, verdict = fmt.Sprintf("only without %s", strings.Join(sets, " or ")), Inconsistent
		reason = "No retraining time explains all rows of the column, whatever the rounding of their inputs."
	}
	l.claim(item, "all methods", column+"/GUM", "", check+": one retraining time", computed, verdict, reason)
}
