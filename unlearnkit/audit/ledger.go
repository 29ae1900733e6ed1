package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// ledger holds a paper's printed cells and the findings about them.
type ledger struct {
	paper   string
	items   []string
	cells   map[string][]papers.Cell // cells of each table, figure or text in page order
	entries []entry
}

// entry is a finding with the position of its cell, so that findings can be sorted in page order.
type entry struct {
	Finding
	item, cell int
}

// externalItems lists items whose facts are not from the paper itself. They serve as inputs of checks, and most of
// their numbers are not audited.
var externalItems = []string{"accuracy", "datasets", "evaluator", "failuretypes", "splits"}

func openLedger(paper string) (*ledger, error) {
	l := &ledger{paper: paper, cells: map[string][]papers.Cell{}}
	for _, item := range papers.ItemsOf(paper) {
		cells, err := papers.Open(paper, item)
		if err != nil {
			return nil, err
		}
		l.items = append(l.items, item)
		l.cells[item] = cells
	}
	return l, nil
}

// at returns a cell. It panics if the paper has no such cell, because the check then has a mistake.
func (l *ledger) at(item, row, column string) papers.Cell {
	if i := l.find(item, row, column); i >= 0 {
		return l.cells[item][i]
	}
	panic(fmt.Sprintf("audit: %s %s has no cell at %q, %q", l.paper, item, row, column))
}

func (l *ledger) find(item, row, column string) int {
	return slices.IndexFunc(l.cells[item], func(c papers.Cell) bool { return c.Row == row && c.Column == column })
}

// rows returns the names of an item's rows in page order.
func (l *ledger) rows(item string) []string {
	return distinct(l.cells[item], func(c papers.Cell) string { return c.Row })
}

// columns returns the names of an item's columns in page order.
func (l *ledger) columns(item string) []string {
	return distinct(l.cells[item], func(c papers.Cell) string { return c.Column })
}

func distinct(cells []papers.Cell, of func(papers.Cell) string) []string {
	var seen []string
	for _, c := range cells {
		if name := of(c); !slices.Contains(seen, name) {
			seen = append(seen, name)
		}
	}
	return seen
}

func value(c papers.Cell) float64 {
	v, err := c.Float()
	if err != nil {
		panic("audit: " + err.Error())
	}
	return v
}

func span(c papers.Cell) interval {
	lo, hi, err := c.Interval()
	if err != nil {
		panic("audit: " + err.Error())
	}
	// The ends are widened to the next floats, because they are not exact decimals.
	return interval{math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1))}
}

// decimals returns the number of digits after the decimal point of a printed number.
func decimals(printed string) int {
	_, fraction, _ := strings.Cut(printed, ".")
	return len(fraction)
}

// add records a finding about a cell. The returned pointer is valid until the next finding is recorded.
func (l *ledger) add(c papers.Cell, check, computed string, verdict Verdict, reason string) *Finding {
	f := Finding{Paper: l.paper, Item: c.Item, Row: c.Row, Column: c.Column, Printed: c.Value,
		Computed: computed, Verdict: verdict, Check: check, Reason: reason}
	l.entries = append(l.entries, entry{f, slices.Index(l.items, c.Item), l.find(c.Item, c.Row, c.Column)})
	return &l.entries[len(l.entries)-1].Finding
}

// claim records a finding about a statement in words or about several cells at once. Its position is after the item's
// cells.
func (l *ledger) claim(item, row, column, printed, check, computed string, verdict Verdict, reason string) {
	f := Finding{Paper: l.paper, Item: item, Row: row, Column: column, Printed: printed,
		Computed: computed, Verdict: verdict, Check: check, Reason: reason}
	l.entries = append(l.entries, entry{f, slices.Index(l.items, item), len(l.cells[item])})
}

// reasons holds the sentence for each outcome of a check.
type reasons struct{ reproduced, consistent, inconsistent string }

// same returns reasons with the same sentence for every outcome.
func same(reason string) reasons { return reasons{reason, reason, reason} }

func (r reasons) of(v Verdict) string {
	switch v {
	case Reproduced:
		return r.reproduced
	case Consistent:
		return r.consistent
	}
	return r.inconsistent
}

// judge compares a computed number with a printed one. face is the value for the printed inputs, and enclosure is its
// interval over their rounding.
func judge(face float64, enclosure, printed interval) Verdict {
	switch {
	case !enclosure.meets(printed):
		return Inconsistent
	case printed.contains(face):
		return Reproduced
	}
	return Consistent
}

// compare judges a computed number against a cell and records the finding.
func (l *ledger) compare(c papers.Cell, check string, face float64, enclosure interval, why reasons) {
	verdict := judge(face, enclosure, span(c))
	l.record(c, check, face, enclosure, verdict, why.of(verdict))
}

// record records a finding with a given verdict. It formats the computed number with one more digit than the printed
// one and with its enclosure, or only as exact digits if the enclosure is a point.
func (l *ledger) record(c papers.Cell, check string, face float64, enclosure interval, verdict Verdict, reason string) {
	const negligible = 1e-9
	digits := decimals(c.Value)
	scaled := face * math.Pow10(digits)
	exact := enclosure.hi-enclosure.lo < negligible*max(1, math.Abs(face))
	if !exact || math.Abs(scaled-math.Round(scaled)) > negligible {
		digits++
	}
	f := l.add(c, check, fmt.Sprintf("%.*f", digits, face), verdict, reason)
	if !exact {
		f.Range = enclosure.text(digits)
	}
}

// repeat records whether two cells print the same number. With equally many decimals they must be equal. Otherwise the
// one with fewer decimals must be a rounding of the other.
func (l *ledger) repeat(c, other papers.Cell, why reasons) {
	verdict := Reproduced
	switch {
	case decimals(c.Value) == decimals(other.Value) && value(c) != value(other):
		verdict = Inconsistent
	case !span(c).meets(span(other)):
		verdict = Inconsistent
	case !span(c).contains(value(other)) && !span(other).contains(value(c)):
		verdict = Consistent
	}
	place := other.Source
	if slices.Contains(externalItems, other.Item) {
		place = other.Item
	}
	l.add(c, "the same number elsewhere", other.Value+" ("+place+", "+other.Row+", "+other.Column+")", verdict,
		why.of(verdict))
}

// complete adds a finding for every number of the paper that no check has covered.
func (l *ledger) complete() {
	touched := map[[2]int]bool{}
	for _, e := range l.entries {
		touched[[2]int{e.item, e.cell}] = true
	}
	for i, item := range l.items {
		if slices.Contains(externalItems, item) {
			continue
		}
		check, reason := "measured", "Measured in the experiment; nothing else in the paper implies it."
		if !strings.HasPrefix(item, "table") {
			check, reason = "stated", "A setting or a statement that no other printed number implies."
		}
		for j, c := range l.cells[item] {
			if c.Numeric() && !touched[[2]int{i, j}] {
				l.add(c, check, "", NotDerivable, reason)
			}
		}
	}
}

func (l *ledger) sorted() []Finding {
	slices.SortStableFunc(l.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.cell, b.cell))
	})
	findings := make([]Finding, len(l.entries))
	for i, e := range l.entries {
		findings[i] = e.Finding
	}
	return findings
}
