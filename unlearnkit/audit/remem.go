package audit

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

var (
	rememSizes   = []string{"LLaVA-1.5-7B", "LLaVA-1.5-13B"}
	rememHops    = []string{"Single-hop", "Multi-hop"}
	rememMethods = []string{"GA", "GD", "KL", "DPO", "NPO"}
)

// rememHigher states for each metric of Table 2 whether higher values are better.
var rememHigher = map[string]bool{"ROUGE": true, "EM_r": true, "GPT": false, "EM_f": false, "Exp": false, "EM_t": false}

// ReMem checks the printed numbers of ReMem.
var ReMem = Audit{"remem", auditReMem}

// auditReMem runs all checks of “Before Forgetting, Learn to Remember”.
func auditReMem(l *ledger) {
	l.auditCounts()
	l.auditStage1Counts()
	l.auditDataSet()
	l.auditMarks()
	l.auditSuperlatives()
	l.auditHops()
	l.auditScaling()
	l.auditMMBench()
	l.auditInversePerplexity()
	l.auditReMemText()
}

// column returns all cells of a metric in Table 2, for both model sizes and all methods.
func (l *ledger) column(column string) []papers.Cell {
	return l.where("table2", func(c papers.Cell) bool { return c.Column == column })
}

// auditCounts checks that the exact-match percentages of Table 2 are whole numbers of questions, given the number of
// questions that the data set implies. It also checks that the smallest number that explains a column divides the
// implied one.
func (l *ledger) auditCounts() {
	forgotten := int(value(l.at("text", "data set", "identities")) * value(l.at("text", "forget ratio",
		"main experiments")) / 100)
	pairs := value(l.at("text", "data set", "QA pairs an identity"))
	single := forgotten * int(pairs*value(l.at("text", "data set", "single-hop share"))/100)
	multi := forgotten * int(pairs*value(l.at("text", "data set", "multi-hop share"))/100)
	for _, of := range []struct {
		column string
		n      int
		origin string
	}{
		{"Single-hop/EM_f", single, "4 forgotten identities with 70 single-hop pairs each"},
		{"Multi-hop/EM_f", multi, "4 forgotten identities with 30 multi-hop pairs each"},
		{"Single-hop/EM_r", 224, "16 retained identities with 14 attributes each"},
		{"Multi-hop/EM_r", 224, "16 retained identities with 14 attributes each"},
		{"Single-hop/EM_t", 56, "4 forgotten identities with 14 attributes each"},
		{"Multi-hop/EM_t", 56, "4 forgotten identities with 14 attributes each"},
	} {
		cells := l.column(of.column)
		for _, c := range cells {
			computed, verdict, reason := proportion(c, of.n, 100)
			l.add(c, "a whole number of questions", computed, verdict, reason)
		}
		smallest := smallestDenominator(cells, 100, 3000)
		verdict := Consistent
		if smallest == 0 || of.n%smallest != 0 {
			verdict = Inconsistent
		}
		l.claim("table2", "all methods", of.column, "", "smallest number of questions that explains the column",
			fmt.Sprintf("%d", smallest), verdict, fmt.Sprintf("It divides %d, which is %s.", of.n, of.origin))
	}
}

// auditStage1Counts checks the percentages of Table 3 as auditCounts does. No number of questions that agrees with the
// text explains them.
func (l *ledger) auditStage1Counts() {
	total := int(value(l.at("text", "data set", "samples")))
	identities, pairs := int(value(l.at("text", "data set", "identities"))),
		int(value(l.at("text", "data set", "QA pairs an identity")))
	for _, of := range []struct {
		column, what string
		n            int
	}{
		{"EM", "training pairs", identities * pairs},
		{"EM", "samples of D", total},
		{"EM_t", "test pairs", total - identities*pairs},
	} {
		check := fmt.Sprintf("a whole number of the %d %s", of.n, of.what)
		for _, c := range l.where("table3", func(c papers.Cell) bool { return c.Column == of.column }) {
			computed, verdict, reason := proportion(c, of.n, 100)
			l.add(c, check, computed, verdict, reason)
		}
	}
	for _, column := range []string{"EM", "EM_t"} {
		cells := l.where("table3", func(c papers.Cell) bool { return c.Column == column })
		l.claim("table3", "all models", column, "", "smallest number of questions that explains the column",
			fmt.Sprintf("%d", smallestDenominator(cells, 100, 3000)), NotDerivable,
			"The text gives no set of this size; the column is an average over groups, or over another set than it "+
				"says.")
	}
}

// auditDataSet checks the sizes of the data set in §6.1.
func (l *ledger) auditDataSet() {
	samples := l.at("text", "data set", "samples")
	identities, pairs := value(l.at("text", "data set", "identities")),
		value(l.at("text", "data set", "QA pairs an identity"))
	l.compare(samples, "20 identities with 100 question-answer pairs each", identities*pairs, point(identities*pairs),
		same("§6.1 gives 100 pairs an identity and 2,560 samples for 20 identities, which is 128 an identity."))
	const test = 28
	l.compare(samples, "100 training and 28 test pairs an identity", identities*(pairs+test),
		point(identities*(pairs+test)),
		same("With one single-hop and one multi-hop test pair for each of 14 attributes; Table 2's numbers of "+
			"questions agree."))
	pairsOfTable := l.at("table1", "ReMem (Ours)", "QA/ID")
	l.repeat(pairsOfTable, l.at("text", "data set", "QA pairs an identity"), same("The text quotes the table."))
	for _, c := range l.where("table1", papers.Cell.Numeric) {
		if c != pairsOfTable {
			l.add(c, "stated", "", NotDerivable, "A property of the benchmark that no other printed number implies.")
		}
	}
	l.claim("text", "data set", "D is partitioned into D_r and D_f", "2560", "forget questions of a 20 % share",
		"512 against 280 + 120 in Table 2", Inconsistent,
		"A fifth of 2,560 is 512 samples, but Table 2's percentages count 280 + 120 = 400 forget questions, a fifth "+
			"of 2,000.")
	shares := l.at("text", "data set", "single-hop share")
	l.compare(shares, "share of single-hop among Table 2's forget questions", 100*280./400, point(100*280./400),
		same("280 of 400 questions."))
}

// auditMarks recomputes which cells of Table 2 are second best, and compares them with the printed marks.
func (l *ledger) auditMarks() {
	marks, err := papers.Marks()
	if err != nil {
		panic("audit: " + err.Error())
	}
	marked := map[[2]string]bool{}
	for _, m := range marks {
		marked[[2]string{m.Row, m.Column}] = true
	}
	for _, size := range rememSizes {
		for _, column := range l.columns("table2") {
			_, metric, _ := strings.Cut(column, "/")
			for _, method := range rememMethods {
				cell := l.at("table2", size+"/"+method, column)
				second := l.place(size, column, rememHigher[metric], value(cell)) == 2
				is := marked[[2]string{cell.Row, cell.Column}]
				if second || is {
					verdict := verdictOf(second == is)
					l.add(cell, "second-best mark", fmt.Sprintf("second best: %t, marked: %t", second, is), verdict,
						reasons{
							reproduced: "Second best among the five methods of its size, and marked as such.",
							inconsistent: "Second best among the five methods of its size and not marked, unless the " +
								"underline is lost in the text that was read.",
						}.of(verdict))
				}
			}
		}
	}
}

// place returns the rank of a value among the distinct values of a column for one model size. The best value has rank
// 1.
func (l *ledger) place(size, column string, higher bool, v float64) int {
	better := map[float64]bool{}
	for _, method := range rememMethods {
		other := value(l.at("table2", size+"/"+method, column))
		if higher && other > v || !higher && other < v {
			better[other] = true
		}
	}
	return len(better) + 1
}

// auditInversePerplexity checks the scale of the column Inverse Perplexity in Table 5.
func (l *ledger) auditInversePerplexity() {
	for _, row := range l.rows("table5") {
		inverse, tail := l.at("table5", row, "Inverse Perplexity"), l.at("table5", row, "Min-k%")
		l.add(inverse, "an inverse perplexity is at most 1", fmt.Sprintf("%.4f", value(inverse)/100), Consistent,
			"Only as a percentage: perplexity is at least 1, and the column says nothing of a factor 100.")
		l.add(tail, "the least likely tokens are below the geometric mean of all", tail.Value+" below "+inverse.Value,
			verdictOf(span(tail).hi < span(inverse).lo),
			"The mean of the lowest token probabilities is far below the mean over the name, as it must be.")
	}
	for _, column := range []string{"Min-k%", "Inverse Perplexity"} {
		l.repeat(l.at("text", "ReMem name memorisation", column), l.at("table5", "ReMem (Ours)", column),
			same("The text quotes the table."))
	}
}

// auditReMemText compares numbers in §7.3 with the tables.
func (l *ledger) auditReMemText() {
	for _, r := range [][5]string{
		{"GD single-hop EM_r", "LLaVA-1.5-7B", "table2", "LLaVA-1.5-7B/GD", "Single-hop/EM_r"},
		{"GD single-hop EM_r", "LLaVA-1.5-13B", "table2", "LLaVA-1.5-13B/GD", "Single-hop/EM_r"},
		{"DPO single-hop EM_r", "LLaVA-1.5-7B", "table2", "LLaVA-1.5-7B/DPO", "Single-hop/EM_r"},
		{"DPO single-hop EM_f", "LLaVA-1.5-7B", "table2", "LLaVA-1.5-7B/DPO", "Single-hop/EM_f"},
		{"NPO single-hop EM_f", "LLaVA-1.5-7B", "table2", "LLaVA-1.5-7B/NPO", "Single-hop/EM_f"},
		{"NPO single-hop EM_f", "LLaVA-1.5-13B", "table2", "LLaVA-1.5-13B/NPO", "Single-hop/EM_f"},
		{"MMBench", "LLaVA-1.5-7B/GD", "table4", "GD", "LLaVA-1.5-7B"},
		{"MMBench", "LLaVA-1.5-7B/NPO", "table4", "NPO", "LLaVA-1.5-7B"},
		{"MMBench", "LLaVA-1.5-13B/GA", "table4", "GA", "LLaVA-1.5-13B"},
		{"MMBench", "LLaVA-1.5-13B/Base Model", "table4", "Base Model", "LLaVA-1.5-13B"},
	} {
		l.repeat(l.at("text", r[0], r[1]), l.at(r[2], r[3], r[4]), same("The text quotes the table."))
	}
}
