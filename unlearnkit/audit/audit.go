// Package audit checks the printed numbers of the four papers against each other.
//
// A printed number represents the interval of reals that round to it, see [papers.Cell.Interval]. A check recomputes
// one printed number from others with interval arithmetic. The numbers contradict each other if no inputs inside their
// intervals give a value inside the output's interval, so no tolerance is needed. The result of a check for one number
// is a [Finding]. The [Audit] of a paper returns its findings, [Summary] counts them, and [Groups] joins similar
// findings.
//
// The package runs no experiments. A number is not derivable if nothing else in its paper implies it. This is normal:
// most measured values are not derivable.
package audit

// A Verdict states how a printed number relates to the other printed numbers.
type Verdict string

const (
	// Reproduced means that the printed inputs give the printed number after rounding.
	Reproduced Verdict = "reproduced"
	// Consistent means that the other numbers, given their rounding, neither contradict nor determine the number.
	Consistent Verdict = "consistent"
	// Inconsistent means that no inputs inside their rounding intervals give the number.
	Inconsistent Verdict = "inconsistent"
	// NotDerivable means that no other printed number implies the number.
	NotDerivable Verdict = "not-derivable"
)

// A Finding is the result of one check of a printed number or of a claim made in words.
type Finding struct {
	Paper    string  `json:"paper"`           // short name of the paper
	Item     string  `json:"item"`            // table or figure, such as "table1"; "text" for running text
	Row      string  `json:"row"`             // row in package papers; for a claim made in words, the claim
	Column   string  `json:"column"`          // column in package papers
	Printed  string  `json:"printed"`         // number as the paper prints it; empty if the paper omits it
	Computed string  `json:"computed"`        // value recomputed from the other numbers
	Range    string  `json:"range,omitempty"` // interval of the computed values over the rounding of the inputs
	Verdict  Verdict `json:"verdict"`
	Check    string  `json:"check"`  // name of the check, the same for all numbers checked in this way
	Reason   string  `json:"reason"` // reason for the verdict, in one sentence
}

// Audit checks the printed numbers of a paper. Audits are declared here and not in the packages of the studies, so that
// a program that only checks printed numbers does not link any study.
type Audit struct {
	paper string
	check func(*ledger)
}

// Exists reports whether anything is checked. The zero Audit checks nothing.
func (a Audit) Exists() bool { return a.check != nil }

// Findings returns the findings about the paper in page order. Every number in a table, a caption or the collected text
// has at least one finding. The zero Audit has none.
func (a Audit) Findings() ([]Finding, error) {
	if !a.Exists() {
		return nil, nil
	}
	l, err := openLedger(a.paper)
	if err != nil {
		return nil, err
	}
	a.check(l)
	l.complete()
	return l.sorted(), nil
}
