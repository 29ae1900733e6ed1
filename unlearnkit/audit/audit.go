// Package audit checks the printed numbers of the four papers against each other.
//
// A printed number represents the interval of reals that round to it, see [papers.Cell.Interval]. A check recomputes
// one printed number from others with interval arithmetic. If no inputs inside their intervals give a value inside the
// output's interval, the numbers contradict each other, and this needs no tolerance. The result of a check for one
// number is a [Finding]. The [Audit] of a paper returns its findings, [Summary] counts them, and [Groups] joins equal
// ones.
//
// The package does not re-run experiments. A number that nothing else in its paper implies is not derivable, which is
// no reproach: most measured values are not derivable.
package audit

// A Verdict relates a printed number to the others.
type Verdict string

const (
	// Reproduced means that the number follows from others: recomputed from the printed inputs it rounds to the printed
	// number.
	Reproduced Verdict = "reproduced"
	// Consistent means that the other numbers, given their rounding, neither refute nor determine the number.
	Consistent Verdict = "consistent"
	// Inconsistent means that no values inside the rounding intervals of the inputs give the number.
	Inconsistent Verdict = "inconsistent"
	// NotDerivable means that nothing printed implies the number.
	NotDerivable Verdict = "not-derivable"
)

// A Finding is the result of one check of one printed number, or of a claim made in words.
type Finding struct {
	Paper    string  `json:"paper"`           // short name of the paper
	Item     string  `json:"item"`            // "table1"; "text" for running text
	Row      string  `json:"row"`             // as in package papers; for a claim made in words, the claim
	Column   string  `json:"column"`          // as in package papers
	Printed  string  `json:"printed"`         // text in the paper, empty if the paper omits it
	Computed string  `json:"computed"`        // value recomputed from the other numbers
	Range    string  `json:"range,omitempty"` // enclosure of the computed value over the rounding of its inputs
	Verdict  Verdict `json:"verdict"`
	Check    string  `json:"check"`  // name of the comparison, the same for all numbers compared in this way
	Reason   string  `json:"reason"` // reason of the verdict, in one sentence
}

// Audit checks the printed numbers of a paper. The audits are declared here and not with the studies, because they read
// nothing but printed numbers: a program that checks them links no study.
type Audit struct {
	paper string
	check func(*ledger)
}

// Findings returns the findings about the paper in the order of its pages. Every number in a table, a caption or the
// collected text has at least one.
func (a Audit) Findings() ([]Finding, error) {
	l, err := openLedger(a.paper)
	if err != nil {
		return nil, err
	}
	a.check(l)
	l.complete()
	return l.sorted(), nil
}
