// Package verify tells a result that was made again on another processor from another result.
//
// Two processors add the same numbers in another order, and a training carries the difference on. How far it goes was
// measured, column by column, and what lies further apart is another result.
package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// StepsFile is the log of a training within an artifact: one row a step.
const StepsFile = "steps.parquet"

// First is the number of steps in which two trainings have had no time to part: they are held to bounds of their own.
const First = 3

// Clock is the name of columns that say how long something took by the clock on the wall: they are never the same, and
// no part of a result.
const Clock = "seconds"

// Outcome is where a result that was made again stands beside the stored one.
type Outcome string

const (
	SameBytes Outcome = "the same bytes"
	Rounding  Outcome = "the same but for rounding" // every number lies within its bound
	Another   Outcome = "another result"
	// OtherInputs is where the two differ, but so may what they were made from: it settles nothing.
	OtherInputs Outcome = "made from other inputs"
)

// Difference is how far a column of numbers has moved.
type Difference struct {
	File   string  `json:"file"`
	Column string  `json:"column"`
	Whole  bool    `json:"whole"` // labels, counts and ranks
	Rows   int     `json:"rows"`
	Moved  int     `json:"moved"` // rows that differ at all
	Size   float64 `json:"size"`  // the largest difference, in the column's own unit
	// Largest and Mean are what bounds are about: differences of scores as they are, of the steps of a training as
	// shares of the larger number, of weights as shares of their root mean square.
	Largest float64 `json:"largest"`
	Mean    float64 `json:"mean"`
	Row     int     `json:"row"` // where the largest is, from 1
	Stored  float64 `json:"stored"`
	Again   float64 `json:"again"`
}

func (d Difference) String() string {
	return fmt.Sprintf("%s %s: %d of %d differ, by at most %.2g", d.File, d.Column, d.Moved, d.Rows, d.Size)
}

// Comparison is what a result that was made again comes to beside the stored one.
type Comparison struct {
	Outcome     Outcome      `json:"outcome"`
	Differences []Difference `json:"differences,omitempty"` // of every column that has moved
	Reason      string       `json:"reason,omitempty"`      // what makes it another result
	Clocked     bool         `json:"clocked,omitempty"`     // it took another time by the clock
	// Plain is another result that other inputs do not explain either: it is not numbers alone that are further apart.
	Plain bool `json:"plain,omitempty"`
}

// Largest is the score that has moved most; false if none has.
func (c Comparison) Largest() (largest Difference, any bool) {
	for _, d := range c.Differences {
		if path.Ext(d.File) == ".parquet" && d.File != StepsFile && !d.Whole && (!any || d.Size > largest.Size) {
			largest, any = d, true
		}
	}
	return largest, any
}

// Measured is what the comparison says of rounding, if nothing else is different.
func (c Comparison) Measured(stage, method, device string) (all Bounds) {
	for _, d := range c.Differences {
		m := Measurement{stage, method, device, pattern(d.File), d.Column, d.Whole,
			float64(d.Moved) / float64(d.Rows), d.Largest, d.Mean}
		same := func(o Measurement) bool { return o.File == m.File && o.Column == m.Column }
		if i := slices.IndexFunc(all, same); i >= 0 {
			o := &all[i]
			o.Whole = o.Whole && m.Whole
			o.Share, o.Largest, o.Mean = max(o.Share, m.Share), max(o.Largest, m.Largest), max(o.Mean, m.Mean)
			continue
		}
		all = append(all, m)
	}
	return all
}

// Compare holds an artifact against the same made again. Both need folders. A column that rounding was never seen to
// move must be equal.
func Compare(stored, again *store.Artifact, bounds Bounds) Comparison {
	same := store.Same(stored, again)
	if same == nil {
		return Comparison{Outcome: SameBytes}
	}
	c := &comparing{stored: stored, again: again, stage: stored.Manifest.Stage, bounds: bounds,
		method: MethodOf(stored.Manifest.Spec)}
	if !slices.Equal(stored.Names(), again.Names()) || !slices.Equal(stored.Manifest.Inputs, again.Manifest.Inputs) {
		c.refuse("%v", same)
		return Comparison{Outcome: Another, Reason: c.reason, Plain: true}
	}
	c.notes(stored.Manifest.Notes, again.Manifest.Notes)
	for _, name := range c.files() {
		if stored.Manifest.Files[name] != again.Manifest.Files[name] {
			c.file(name)
		}
	}
	outcome := Rounding
	switch {
	case c.reason == "" && len(c.differences) == 0 && c.clocked:
		outcome = SameBytes // of all that is no clock's
	case c.reason != "":
		outcome = Another
		if !bounds.knows(c.stage) {
			c.reason += "; what rounding does to " + c.stage + " was never measured"
		}
	}
	return Comparison{outcome, c.differences, c.reason, c.clocked, c.plain}
}

// MethodOf is the method that a spec names.
func MethodOf(spec json.RawMessage) string {
	var named struct{ Method string }
	if json.Unmarshal(spec, &named) != nil {
		return ""
	}
	return named.Method
}

type comparing struct {
	stored, again *store.Artifact
	stage, method string
	bounds        Bounds
	differences   []Difference
	reason        string // the first thing that rounding does not explain
	clocked       bool   // a clock says another time
	plain         bool   // something else than a number's size is different
}

// files are the names to compare, the steps of a training first: what went another way went it there.
func (c *comparing) files() []string {
	names := c.stored.Names()
	slices.SortStableFunc(names, func(a, b string) int {
		before := func(name string) int {
			if name == StepsFile {
				return 0
			}
			return 1
		}
		return cmp.Compare(before(a), before(b))
	})
	return names
}

// refuse says what makes it another result, whatever it was made from.
func (c *comparing) refuse(format string, arguments ...any) {
	c.plain = true
	c.tooFar(format, arguments...)
}

// tooFar says which numbers are further apart than rounding brings them, as other inputs may.
func (c *comparing) tooFar(format string, arguments ...any) {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, arguments...)
	}
}

// tables compares the columns of a Parquet file.
func (c *comparing) tables(name string, a, b *safefile.Frame) {
	if len(a.Columns) != len(b.Columns) {
		c.refuse("%s has %d columns and %d", name, len(a.Columns), len(b.Columns))
		return
	}
	if a.Rows() != b.Rows() {
		c.refuse("%s has %d rows and %d", name, a.Rows(), b.Rows())
		return
	}
	for i := range a.Columns {
		x, y := &a.Columns[i], &b.Columns[i]
		if name == StepsFile && x.Name == y.Name && c.laidDown(x.Name) {
			c.equal(name, x, y)
		}
	}
	for i := range a.Columns {
		x, y := &a.Columns[i], &b.Columns[i]
		switch {
		case x.Name == Clock && y.Name == Clock && x.Values != nil && y.Values != nil:
			c.clocked = c.clocked || !slices.Equal(x.Values, y.Values)
		case x.Name != y.Name || (x.Values == nil) != (y.Values == nil):
			c.refuse("%s has a column %s and %s in its place", name, x.Name, y.Name)
		case x.Values == nil:
			if row := firstOf(x.Texts, y.Texts); row >= 0 {
				c.refuse("%s, row %d: %s is %q and %q", name, row+1, x.Name, x.Texts[row], y.Texts[row])
			}
		case name == StepsFile:
			first := min(First, len(x.Values))
			c.numbers(name, x.Name+", first steps", x.Values[:first], y.Values[:first], larger)
			c.numbers(name, x.Name, x.Values, y.Values, larger)
		default:
			c.numbers(name, x.Name, x.Values, y.Values, itself)
		}
	}
}

// firstOf is the first place where two lists differ, -1 if none.
func firstOf(a, b []string) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// laidDown tells whether a column of a training's steps is known before it begins. A rate is not, where it falls when a
// score stops to rise, which measurements of the stage show; that of the first steps is even there.
func (c *comparing) laidDown(column string) bool {
	_, moves := c.bounds.largest(c.stage, c.method, StepsFile, column)
	return slices.Contains([]string{"step", "rate", "examples"}, column) && !moves
}

// equal refuses columns of numbers that are not the same.
func (c *comparing) equal(file string, a, b *safefile.Column) {
	for i := range min(len(a.Values), len(b.Values)) {
		if a.Values[i] != b.Values[i] {
			c.refuse("%s, step %d: the %s is %v and %v, and rounding has no part in it", file, i+1, a.Name,
				a.Values[i], b.Values[i])
			return
		}
	}
}

// unit is what a difference of two numbers is counted in.
type unit func(x, y float64) float64

func itself(_, _ float64) float64 { return 1 }
func larger(x, y float64) float64 { return max(math.Abs(x), math.Abs(y)) }

// numbers compares two columns of equal length and notes how far they are apart.
func (c *comparing) numbers(file, column string, a, b []float64, of unit) {
	d := Difference{File: file, Column: column, Rows: len(a), Whole: path.Ext(file) == ".parquet" && file != StepsFile}
	for i := range a {
		x, y := a[i], b[i]
		d.Whole = d.Whole && (math.IsNaN(x) || x == math.Trunc(x)) && (math.IsNaN(y) || y == math.Trunc(y))
		if x == y || math.IsNaN(x) && math.IsNaN(y) {
			continue
		}
		size := math.Abs(x - y)
		if math.IsNaN(size) {
			c.refuse("%s, row %d: %s is %v and %v", file, i+1, column, x, y)
			return
		}
		d.Moved++
		d.Mean += size / of(x, y) / float64(len(a))
		d.Largest = max(d.Largest, size/of(x, y))
		if size > d.Size {
			d.Size, d.Row, d.Stored, d.Again = size, i+1, x, y
		}
	}
	if d.Moved == 0 {
		return
	}
	c.differences = append(c.differences, d)
	if why := c.bounds.refuse(c.stage, c.method, d); why != "" {
		c.tooFar("%s, row %d: %s is %v and %v, %s%s", file, d.Row, column, d.Stored, d.Again, why,
			firstStep(c.stored, c.again))
	}
}
