package report

import (
	"math"
	"slices"
)

// Standing is where a certified value lies beside its target.
type Standing uint8

const (
	Unjudged Standing = iota // it has no target
	Matched                  // near enough to be the same
	Above                    // surely above the target
	Below                    // surely below it
	Open                     // the data do not decide
)

// signs are what a reader sees of a standing, one character each.
var signs = [...]string{Unjudged: "·", Matched: "=", Above: "▲", Below: "▼", Open: "?"}

// Sign is the standing in one character.
func (s Standing) Sign() string { return signs[s] }

// Judged is what a certified cell says beside its value. Tables with such cells are looked at before they are read: as
// a grid of signs.
type Judged struct {
	Standing Standing
	Verdict  string  // the standing in the study's words, "" for [Unjudged]
	Differs  bool    // from the target, after the correction for the table's many tests
	Lo, Hi   float64 // the interval, NaN where there is none
	Target   float64 // NaN where there is none
}

// judged tells whether a cell of the table is certified.
func (t *Table) judged() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Judged != nil })
	})
}

// judgedColumns are the places of the columns with certified cells.
func (t *Table) judgedColumns() (places []int) {
	for at := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return at < len(r.Cells) && r.Cells[at].Judged != nil }) {
			places = append(places, at)
		}
	}
	return places
}

// sign is a certified cell at a glance: where it stands, and a star where it differs.
func (c Cell) sign() string {
	if c.Judged == nil {
		return ""
	}
	sign := c.Judged.Standing.Sign()
	if c.Judged.Differs {
		sign += star
	}
	return sign
}

// star marks a certified value that differs from its target.
const star = "*"

// explained is a sign of the legend with what it says.
type explained struct {
	sign     string
	standing Standing
	says     string
}

// legend explains the signs that the table has, and no other.
func (t *Table) legend() (all []explained) {
	seen := map[Standing]string{}
	differs := false
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell.Judged != nil {
				seen[cell.Judged.Standing], differs = cell.Judged.Verdict, differs || cell.Judged.Differs
			}
		}
	}
	for standing := Matched; int(standing) < len(signs); standing++ {
		if verdict, has := seen[standing]; has {
			all = append(all, explained{standing.Sign(), standing, verdict})
		}
	}
	if _, has := seen[Unjudged]; has {
		all = append(all, explained{Unjudged.Sign(), Unjudged, "no verdict"})
	}
	if differs {
		all = append(all, explained{star, Unjudged, "differs from the target, corrected for all tests of the table"})
	}
	return all
}

// scale is the range that a column's intervals and targets take.
type scale struct{ low, high float64 }

// scaleOf is that of a column, which certified cells lie within.
func (t *Table) scaleOf(column int) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, row := range t.Rows {
		if column >= len(row.Cells) || row.Cells[column].Judged == nil {
			continue
		}
		cell := row.Cells[column]
		for _, x := range []float64{cell.Value, cell.Judged.Lo, cell.Judged.Hi, cell.Judged.Target} {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				s.low, s.high = min(s.low, x), max(s.high, x)
			}
		}
	}
	return s
}

// at is the place of a number on a ruler of so many steps, or -1 of what is no number.
func (s scale) at(x float64, steps int) int {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return -1
	case s.high <= s.low:
		return steps / 2
	}
	return int(math.Round((x - s.low) / (s.high - s.low) * float64(steps-1)))
}
