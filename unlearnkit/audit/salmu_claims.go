package audit

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// verdictOf returns Reproduced if a claim holds for the printed values, and otherwise Inconsistent.
func verdictOf(holds bool) Verdict {
	if holds {
		return Reproduced
	}
	return Inconsistent
}

// nearer counts the efficacy metrics of Table 5 in which row is closer to the target than the row named than.
func (l *ledger) nearer(row, than string) int {
	count := 0
	for _, column := range salmuEfficacy {
		target := value(l.at("table5", "Target Scores", column))
		if math.Abs(value(l.at("table5", row, column))-target) < math.Abs(value(l.at("table5", than, column))-target) {
			count++
		}
	}
	return count
}

// auditBudgets checks the statement of §12.1 about larger training budgets.
func (l *ledger) auditBudgets() {
	for _, method := range []string{"Generic Captions", "Shuffled Captions"} {
		gains := l.nearer(method+"/20x", method+"/1x")
		l.claim("table5", method, "forgetting efficacy", "mild gains with larger budgets", "gains with larger budgets",
			fmt.Sprintf("%d of 5 metrics nearer to the target at 20x than at 1x", gains), verdictOf(gains > 0),
			"§12.1 speaks of mild gains of Generic Captions and Shuffled Captions with larger budgets.")
	}
	l.auditStability()
	for _, method := range []string{"Generic Captions", "Shuffled Captions", "Direct Similarity Minimization",
		"Negative Gradient",
		"Finetuning", "VLUnlearn", "DELETE", "CLIPERase"} {
		l.auditSnapshots(method)
	}
	generic, _ := lowest(l.where("table5", func(c papers.Cell) bool {
		return c.Levels()[0] == "Generic Captions" && c.Column == "RetFail"
	}))
	target := l.at("table5", "Target Scores", "RetFail")
	l.claim("table5", "Generic Captions", "RetFail", "without ever reaching the forgetting target",
		"least RetFail over the budgets",
		fmt.Sprintf("%.3f against a target of %s", generic, target.Value), verdictOf(generic > span(target).hi),
		"§13 says so of learning rates; it holds of the budgets in Table 5, too.")
	l.auditDescent()
}

// auditStability checks which methods §12.1 calls stable or unstable as the budget grows.
func (l *ledger) auditStability() {
	const direct = "Direct Similarity Minimization"
	worse := len(salmuEfficacy) - l.nearer(direct+"/20x", direct+"/1x")
	drop := value(l.at("table5", direct+"/1x", "GenKnow")) - value(l.at("table5", direct+"/20x", "GenKnow"))
	l.claim("table5", direct, "GenKnow", "best at low budgets, then deteriorates", "deterioration with larger budgets",
		fmt.Sprintf("GenKnow falls by %.3f from 1x to 20x; %d of 5 efficacy metrics are farther from the target", drop,
			worse), verdictOf(drop > 0),
		"§12.1 says that the method over-optimises with larger budgets.")
	for _, method := range []string{"Finetuning", "DELETE", "CLIPERase"} {
		largest, at := 0., ""
		for _, column := range append(salmuEfficacy[:5:5], salmuUtility...) {
			from, to := l.pair("table5", column, method+"/5x", method+"/20x")
			if change := math.Abs(value(from) - value(to)); change > largest {
				largest, at = change, column
			}
		}
		l.claim("table5", method, "all metrics", "relatively stable across budgets", "largest change from 5x to 20x",
			fmt.Sprintf("%.3f in %s", largest, at), Consistent, "§12.1 gives no number for stable.")
	}
}

// auditSnapshots checks whether a method's RetFail falls as the budget grows.
func (l *ledger) auditSnapshots(method string) {
	cells := l.where("table5", func(c papers.Cell) bool {
		return c.Levels()[0] == method && c.Column == "RetFail"
	})
	values, rises := []string{}, 0
	for i, c := range cells {
		values = append(values, c.Value)
		if i > 0 && value(c) > value(cells[i-1]) {
			rises++
		}
	}
	verdict := Consistent
	if rises > 0 {
		verdict = Inconsistent
	}
	l.claim("table5", method, "RetFail", "", "RetFail never rises with the budget", strings.Join(values, " "), verdict,
		"Budgets are snapshots along one run, and more unlearning should not make the pairs easier to retrieve.")
}

// auditDescent compares Descent to Delete, whose procedure the paper does not specify, with Finetuning at 1x.
func (l *ledger) auditDescent() {
	largest := 0.
	for _, column := range append(salmuEfficacy[:5:5], salmuUtility...) {
		a, b := l.pair("table5", column, "Descent to Delete", "Finetuning/1x")
		largest = max(largest, math.Abs(value(a)-value(b)))
	}
	l.claim("table5", "Descent to Delete", "all metrics", "", "largest distance to Finetuning at 1x",
		fmt.Sprintf("%.3f", largest), NotDerivable,
		"The noise scale needs smoothness, curvature and training-set size, which are not printed; the row lies next "+
			"to Finetuning's.")
}

// auditFailureTypes applies [metric.DiagnoseFailure] to the 5x rows of Table 5. The paper prints failure types but no
// thresholds for them.
func (l *ledger) auditFailureTypes() {
	target := func(column string) float64 { return value(l.at("table5", "Target Scores", column)) }
	clean := metric.FailureScores{AssocStr: target("AssocStr")}
	compromised := metric.FailureScores{RetFail: value(l.at("table4", "Compromised", "RetFail")),
		GenKnow: target("GenKnow"), InterIdSim: target("InterIdSim"), IntraIdSim: target("IntraIdSim")}
	for _, method := range l.rows("failuretypes") {
		own := func(column string) float64 { return value(l.at("table5", method+"/5x", column)) }
		unlearned := metric.FailureScores{RetFail: own("RetFail"), AssocStr: own("AssocStr"),
			GenKnow: own("GenKnow"), InterIdSim: own("InterIdSim"), IntraIdSim: own("IntraIdSim")}
		f := metric.DiagnoseFailure(unlearned, clean, compromised, metric.DefaultFailureThresholds())
		label := l.at("failuretypes", method, "type")
		verdict := Consistent
		if float64(f.Type) != value(label) {
			verdict = Inconsistent
		}
		l.add(label, "failure type by numeric rules",
			fmt.Sprintf("%d: RetFail -%.0f %%, GenKnow -%.1f %%, held-out similarity -%.0f %%",
				f.Type, 100*f.LeakRemoved, 100*f.GenKnowDrop, 100*f.HoldoutDrop), verdict,
			"The rules are this audit's: ineffective below 90 % less RetFail, else catastrophic from 3 % of GenKnow "+
				"lost, else over-generalised.")
	}
}

// auditSanityCheck checks the statements of §12.2 about unlearning the Clean model.
func (l *ledger) auditSanityCheck() {
	drift := func(row, column string) float64 {
		a, b := l.pair("table6", column, row, "Clean (Reference)")
		return math.Abs(value(a) - value(b))
	}
	columns := append(salmuEfficacy[:5:5], salmuUtility...)
	more := 0
	for _, column := range columns {
		if drift("Shuffled Captions/5x", column) > drift("Generic Captions/5x", column) {
			more++
		}
	}
	l.claim("table6", "Shuffled Captions/5x", "all metrics", "more significant drift than Generic Captions",
		"drift from the reference",
		fmt.Sprintf("larger in %d of %d metrics", more, len(columns)), verdictOf(more == len(columns)),
		"§12.2 ranks the two by drift.")
	negative := 0
	for _, column := range columns {
		if span(l.at("table6", "Negative Gradient/5x", column)).hi < 0 {
			negative++
		}
	}
	l.claim("table6", "Negative Gradient/5x", "all metrics", "several metrics negative", "negative metrics",
		fmt.Sprintf("%d of %d", negative, len(columns)), verdictOf(negative >= 2),
		"§12.2 says that it drives several metrics to negative values.")
	for _, column := range []string{"GenKnow", "AssocStr"} {
		direct, gradient := l.pair("table6", column, "Direct Sim. Min./5x", "Negative Gradient/5x")
		l.claim("table6", "Direct Sim. Min./5x", column, "more destructive than Negative Gradient",
			"order of the two methods",
			direct.Value+" against "+gradient.Value, verdictOf(span(direct).hi < span(gradient).lo),
			"§12.2 ranks Direct Similarity Minimization as the more destructive.")
	}
}
