package report

import (
	"math"
	"slices"
)

// Standing is the position of a certified value relative to its target. A table has one verdict word for each standing.
type Standing uint8

const (
	Unjudged Standing = iota // there is no target
	Matched                  // close enough to the target to count as equal
	Above                    // significantly above the target, or below it if lower values mean less forgetting
	Below                    // significantly different in the opposite direction of Above
	Open                     // the data do not decide
)

// signs holds the character for each standing.
var signs = [...]string{Unjudged: "·", Matched: "=", Above: "▲", Below: "▼", Open: "?"}

// Sign returns the character for the standing.
func (s Standing) Sign() string { return signs[s] }

// Judged holds the certification of a cell. Tables with certified cells are printed as a grid of signs.
type Judged struct {
	Standing Standing
	Verdict  string  // the study's word for the standing; "" for [Unjudged]
	Differs  bool    // the value differs significantly from the target, corrected for all tests in the table
	Lo, Hi   float64 // interval; NaN if none exists
	Target   float64 // target; NaN if none exists
}

// judged reports whether any cell of the table is certified.
func (t *Table) judged() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Judged != nil })
	})
}

// judgedColumns returns the indices of the columns with certified cells.
func (t *Table) judgedColumns() (places []int) {
	for at := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return at < len(r.Cells) && r.Cells[at].Judged != nil }) {
			places = append(places, at)
		}
	}
	return places
}

// sign returns the sign of a certified cell, with a star if it differs from its target.
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

// legendEntry is a sign and its meaning, for the legend.
type legendEntry struct {
	sign     string
	standing Standing
	meaning  string
}

// legend returns the signs that occur in the table, with their meanings.
func (t *Table) legend() (all []legendEntry) {
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
			all = append(all, legendEntry{standing.Sign(), standing, verdict})
		}
	}
	if _, has := seen[Unjudged]; has {
		all = append(all, legendEntry{Unjudged.Sign(), Unjudged, "no verdict"})
	}
	if differs {
		all = append(all, legendEntry{star, Unjudged, "differs from the target, corrected for all tests of the table"})
	}
	return all
}

// scale is the smallest and the largest number among a column's values, intervals and targets.
type scale struct{ low, high float64 }

// scaleOf returns the scale of a column's certified cells.
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

// at returns the position of a number on the scale, from 0 to steps-1, or -1 if the number is NaN or infinite.
func (s scale) at(x float64, steps int) int {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return -1
	case s.high <= s.low:
		return steps / 2
	}
	return int(math.Round((x - s.low) / (s.high - s.low) * float64(steps-1)))
}
