package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// ledger holds a paper's cells and what has been found about them.
type ledger struct {
	paper   string
	items   []string
	cells   map[string][]papers.Cell // by item, in the order of the page
	entries []entry
}

// entry is a finding and where its cell stands, so that findings come out in the order of the pages whatever the order
// of the checks.
type entry struct {
	Finding
	item, cell int
}

// elsewhere are the items that hold facts from other sources than the paper itself; they serve as inputs and are not
// audited as a whole.
var elsewhere = []string{"accuracy", "datasets", "evaluator", "failuretypes", "splits"}

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

// at returns a cell; asking for one that the paper does not have is a mistake in a check.
func (l *ledger) at(item, row, column string) papers.Cell {
	if i := l.find(item, row, column); i >= 0 {
		return l.cells[item][i]
	}
	panic(fmt.Sprintf("audit: %s %s has no cell at %q, %q", l.paper, item, row, column))
}

func (l *ledger) find(item, row, column string) int {
	return slices.IndexFunc(l.cells[item], func(c papers.Cell) bool { return c.Row == row && c.Column == column })
}

// rows returns an item's rows in the order of the page.
func (l *ledger) rows(item string) []string {
	return distinct(l.cells[item], func(c papers.Cell) string { return c.Row })
}

// columns returns an item's columns in the order of the page.
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

// value is the printed number itself, span the interval of numbers that print like it.
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
	// The ends are floats next to the exact decimals.
	return interval{math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1))}
}

// decimals is the number of digits after the point of a printed number.
func decimals(printed string) int {
	_, fraction, _ := strings.Cut(printed, ".")
	return len(fraction)
}

// add records a finding about a cell. The pointer is good until the next finding.
func (l *ledger) add(c papers.Cell, check, computed string, verdict Verdict, reason string) *Finding {
	f := Finding{Paper: l.paper, Item: c.Item, Row: c.Row, Column: c.Column, Printed: c.Value,
		Computed: computed, Verdict: verdict, Check: check, Reason: reason}
	l.entries = append(l.entries, entry{f, slices.Index(l.items, c.Item), l.find(c.Item, c.Row, c.Column)})
	return &l.entries[len(l.entries)-1].Finding
}

// claim records a finding about something that the paper says in words, or about several cells at once. It stands
// behind the item's cells.
func (l *ledger) claim(item, row, column, printed, check, computed string, verdict Verdict, reason string) {
	f := Finding{Paper: l.paper, Item: item, Row: row, Column: column, Printed: printed,
		Computed: computed, Verdict: verdict, Check: check, Reason: reason}
	l.entries = append(l.entries, entry{f, slices.Index(l.items, item), len(l.cells[item])})
}

// reasons are the sentences for the three outcomes of a recomputation.
type reasons struct{ reproduced, consistent, inconsistent string }

// same uses one sentence whatever the outcome.
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

// judge compares a recomputation with a printed number: face is its value at the printed inputs, enclosure its values
// over their rounding.
func judge(face float64, enclosure, printed interval) Verdict {
	switch {
	case !enclosure.meets(printed):
		return Inconsistent
	case printed.contains(face):
		return Reproduced
	}
	return Consistent
}

// compare records the judgement of a recomputed number.
func (l *ledger) compare(c papers.Cell, check string, face float64, enclosure interval, why reasons) {
	verdict := judge(face, enclosure, span(c))
	l.record(c, check, face, enclosure, verdict, why.of(verdict))
}

// record records a recomputed number with a given verdict: one digit finer than it is printed and with its enclosure,
// or as it is where it is exact.
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

// repeat records whether a number agrees with another place that prints it. At the same number of digits one number has
// one print; at fewer digits the coarser print must be a rounding of the finer.
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
	if slices.Contains(elsewhere, other.Item) {
		place = other.Item
	}
	l.add(c, "the same number elsewhere", other.Value+" ("+place+", "+other.Row+", "+other.Column+")", verdict,
		why.of(verdict))
}

// complete gives every number of the paper that no check has touched its place among the findings.
func (l *ledger) complete() {
	touched := map[[2]int]bool{}
	for _, e := range l.entries {
		touched[[2]int{e.item, e.cell}] = true
	}
	for i, item := range l.items {
		if slices.Contains(elsewhere, item) {
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
