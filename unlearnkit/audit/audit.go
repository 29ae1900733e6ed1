// Package audit checks the numbers that the four papers print against each other.
//
// A printed number is not a real number but the interval of reals that round to it, see [papers.Cell.Interval]. A check
// recomputes one printed number from others with interval arithmetic: if no choice of inputs inside their intervals
// gives a value inside the output's, the numbers contradict each other, and no tolerance had to be chosen to say so.
// What a check finds about one number is a [Finding]; [Run] returns those of a paper, [All] those of all papers,
// [Summary] counts them and [Groups] joins those that say the same.
//
// Nothing here re-runs an experiment. A number that nothing else in its paper implies is not derivable, which is no
// reproach: most measured values are of this kind.
package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// A Verdict says how a printed number stands to the others.
type Verdict string

const (
	// Reproduced means that the number follows from others: recomputed from the printed inputs it prints as it is
	// printed.
	Reproduced Verdict = "reproduced"
	// Consistent means that the other numbers cannot refute it, given how they are rounded, and do not determine it
	// either.
	Consistent Verdict = "consistent"
	// Inconsistent means that no values inside the rounding intervals of the inputs give the number.
	Inconsistent Verdict = "inconsistent"
	// NotDerivable means that nothing printed implies the number.
	NotDerivable Verdict = "not-derivable"
)

// A Finding is what one check says about one printed number, or about a claim made in words.
type Finding struct {
	Paper    string  `json:"paper"`           // its short name
	Item     string  `json:"item"`            // "table1"; "text" for running text
	Row      string  `json:"row"`             // as in package papers; for a claim made in words, the claim
	Column   string  `json:"column"`          // as in package papers
	Printed  string  `json:"printed"`         // what the paper prints, empty for what it should have said and does not
	Computed string  `json:"computed"`        // what the check makes of the other numbers
	Range    string  `json:"range,omitempty"` // enclosure of the computed value over the rounding of its inputs
	Verdict  Verdict `json:"verdict"`
	Check    string  `json:"check"`  // what was compared, the same for all numbers compared in this way
	Reason   string  `json:"reason"` // why the verdict is what it is, in one sentence
}

// Run returns the findings about one paper in the order of its pages. Every number in a table, a caption or the
// collected text has at least one.
func Run(paper string) ([]Finding, error) {
	audit, ok := audits[paper]
	if !ok {
		return nil, fmt.Errorf("audit: unknown paper %q, the papers are %s", paper, strings.Join(papers.Names, ", "))
	}
	l, err := openLedger(paper)
	if err != nil {
		return nil, err
	}
	audit(l)
	l.complete()
	return l.sorted(), nil
}

// All returns the findings about every paper, in the order of [papers.Names].
func All() ([]Finding, error) {
	var all []Finding
	for _, paper := range papers.Names {
		findings, err := Run(paper)
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, findings)
	}
	return all, nil
}
