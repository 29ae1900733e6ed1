package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// figures returns the figures that have captions, in page order.
func (l *ledger) figures() []string {
	return slices.DeleteFunc(slices.Clone(l.items), func(item string) bool {
		return !strings.HasPrefix(item, "figure")
	})
}

// lookup returns a cell's value, or "" if the paper has no such cell.
func (l *ledger) lookup(item, row, column string) string {
	if i := l.find(item, row, column); i >= 0 {
		return l.cells[item][i].Value
	}
	return ""
}

// auditCaptions checks the ratios in captions against the evaluated ratios. It also compares captions of the same
// prompt and method.
func (l *ledger) auditCaptions() {
	evaluated := l.where("text", func(c papers.Cell) bool { return c.Row == "evaluated partial diffusion ratio" })
	for _, item := range l.figures() {
		for _, row := range l.rows(item) {
			if l.find(item, row, "psi") < 0 {
				continue
			}
			psi := l.at(item, row, "psi")
			switch steps := l.steps(psi); {
			case steps == 0:
				l.add(psi, "steps of the original model", "0 of 100", Inconsistent,
					"With no step of the original model the image is the unlearned model's own: the concept was "+
						"never gone, and nothing was recovered.")
			case !slices.ContainsFunc(evaluated, func(c papers.Cell) bool { return value(c) == value(psi) }):
				l.add(psi, "one of the evaluated ratios", fmt.Sprintf("%d of 100 steps; not evaluated", steps),
					Inconsistent,
					"The ratio is not among the eight at which §4 says evaluation was performed.")
			default:
				l.add(psi, "one of the evaluated ratios", fmt.Sprintf("%d of 100 steps", steps), Consistent,
					"The ratio is among the eight evaluated ones.")
			}
			l.auditGoldThreshold(item, row)
		}
	}
	for i, item := range l.figures() {
		for _, later := range l.figures()[i+1:] {
			for _, row := range l.rows(item) {
				for _, other := range l.rows(later) {
					if strings.EqualFold(row, other) &&
						l.lookup(item, row, "Method") == l.lookup(later, other, "Method") {
						l.auditTwoCaptions(item, row, later, other)
					}
				}
			}
		}
	}
}

// auditGoldThreshold adds findings for concepts recovered at high ratios. At these ratios even the gold model, which
// never saw the class, draws it.
func (l *ledger) auditGoldThreshold(item, row string) {
	psi, gold := l.at(item, row, "psi"), l.at("figure4", "A desert-rose", "psi")
	if item != "figure4" && value(psi) >= value(gold) {
		l.add(psi, "threshold of the gold model", "the gold model's is "+gold.Value, Consistent,
			"From this ratio on a model that never saw the class draws it as well, so that drawing it proves nothing "+
				"about the unlearned model.")
	}
}

// auditTwoCaptions compares two captions of the same prompt and method.
func (l *ledger) auditTwoCaptions(item, row, later, other string) {
	why := reasons{
		reproduced:   "Both captions say the same of this prompt and method.",
		consistent:   "Both captions say the same of this prompt and method.",
		inconsistent: "Two captions of the same prompt and method differ.",
	}
	if l.find(item, row, "psi") >= 0 && l.find(later, other, "psi") >= 0 {
		first, second := l.at(item, row, "psi"), l.at(later, other, "psi")
		l.repeat(first, second, why)
		l.repeat(second, first, why)
	}
	a, b := l.lookup(item, row, "Outcome"), l.lookup(later, other, "Outcome")
	if a != "" && b != "" {
		verdict := verdictOf(a == b)
		l.add(l.at(item, row, "Outcome"), "two captions of one prompt", b+" ("+l.at(later, other, "Outcome").Source+")",
			verdict, why.of(verdict))
		l.add(l.at(later, other, "Outcome"), "two captions of one prompt", a+" ("+l.at(item, row, "Outcome").Source+")",
			verdict, why.of(verdict))
	}
}

// auditFigureMap compares Table 4 with the captions that it refers to, and with the rows of Tables 1 to 3.
func (l *ledger) auditFigureMap() {
	for _, row := range l.rows("table4") {
		cell := l.at("table4", row, "Figure")
		item := strings.ToLower(strings.ReplaceAll(cell.Value, " ", ""))
		caption := l.rows(item)[0]
		method := l.lookup("table4", row, "Method")
		if method == "AC" {
			method = "Ablating Concepts"
		}
		fits := l.lookup(item, caption, "Method") == method &&
			l.lookup(item, caption, "Concept Class") == l.lookup("table4", row, "Concept") &&
			contained(row, caption)
		l.add(cell, "caption of the figure",
			l.lookup(item, caption, "Method")+", "+l.lookup(item, caption, "Concept Class")+": "+caption,
			verdictOf(fits), "Method, class and prompt of the caption.")
		if !l.tabulated(row, method) {
			l.add(cell, "row of Tables 1 to 3", "none", NotDerivable,
				"The prompt has a figure but no row of scores for this method.")
		}
	}
}

// tabulated reports whether a prompt and method have a row in Tables 1 to 3.
func (l *ledger) tabulated(prompt, method string) bool {
	for _, item := range concealmentTables {
		for _, row := range l.rows(item) {
			if l.lookup(item, row, "Method") == method && contained(prompt, row) {
				return true
			}
		}
	}
	return false
}

// contained reports whether longer has every word of prompt.
func contained(prompt, longer string) bool {
	for _, w := range words(prompt) {
		if !slices.Contains(words(longer), w) {
			return false
		}
	}
	return true
}
