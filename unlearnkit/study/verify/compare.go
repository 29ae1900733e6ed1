// Package verify decides whether a result that was computed again on another processor differs only by rounding.
//
// Two processors add the same numbers in different orders, and training amplifies the difference. The size of this
// effect was measured for each column. A larger difference means that the results are not the same.
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

// StepsFile is the name of an artifact's training log, with one row per step.
const StepsFile = "steps.parquet"

// firstSteps is the number of steps before rounding differences grow. These steps have their own bounds.
const firstSteps = 3

// clockColumn is the name of columns with wall-clock times. These times always differ and are not compared.
const clockColumn = "seconds"

// Outcome is the conclusion of comparing a result that was computed again with the stored one.
type Outcome string

const (
	SameBytes Outcome = "the same bytes"
	Rounding  Outcome = "the same but for rounding" // every difference is within its bound
	Another   Outcome = "another result"
	// OtherInputs means that the results differ, but perhaps because their inputs differ. Nothing is decided.
	OtherInputs Outcome = "made from other inputs"
)

// Difference describes how much a column of numbers changed.
type Difference struct {
	File   string  `json:"file"`
	Column string  `json:"column"`
	Whole  bool    `json:"whole"` // labels, counts or ranks
	Rows   int     `json:"rows"`
	Moved  int     `json:"moved"` // number of rows that differ
	Size   float64 `json:"size"`  // largest absolute difference, in the column's unit
	// Largest and Mean are the numbers that bounds limit. They are absolute differences for scores, shares of the
	// larger number for training steps, and shares of the root mean square for weights.
	Largest float64 `json:"largest"`
	Mean    float64 `json:"mean"`
	Row     int     `json:"row"` // row of the largest difference, counted from 1
	Stored  float64 `json:"stored"`
	Again   float64 `json:"again"`
}

func (d Difference) String() string {
	return fmt.Sprintf("%s %s: %d of %d differ, by at most %.2g", d.File, d.Column, d.Moved, d.Rows, d.Size)
}

// Comparison compares a result that was computed again with the stored one.
type Comparison struct {
	Outcome     Outcome      `json:"outcome"`
	Differences []Difference `json:"differences,omitempty"` // one difference per changed column
	Reason      string       `json:"reason,omitempty"`      // first difference that rounding does not explain
	Clocked     bool         `json:"clocked,omitempty"`     // only the wall-clock times differ
	// Plain means that other inputs cannot explain the difference: something other than the size of a number differs.
	Plain bool `json:"plain,omitempty"`
}

// Largest returns the largest absolute change of a score, or false if no score changed.
func (c Comparison) Largest() (largest Difference, any bool) {
	for _, d := range c.Differences {
		if path.Ext(d.File) == ".parquet" && d.File != StepsFile && !d.Whole && (!any || d.Size > largest.Size) {
			largest, any = d, true
		}
	}
	return largest, any
}

// Measured converts the comparison to measurements of rounding. The differences must have no other cause.
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

// Compare compares an artifact with one that was computed again. Both need folders. A column must be equal if
// measurements found no rounding difference in it.
func Compare(stored, again *store.Artifact, bounds Bounds) Comparison {
	same := store.Same(stored, again)
	if same == nil {
		return Comparison{Outcome: SameBytes}
	}
	c := &comparator{stored: stored, again: again, stage: stored.Manifest.Stage, bounds: bounds,
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
		outcome = SameBytes // equal except for wall-clock times
	case c.reason != "":
		outcome = Another
		if !bounds.knows(c.stage) {
			c.reason += "; what rounding does to " + c.stage + " was never measured"
		}
	}
	return Comparison{outcome, c.differences, c.reason, c.clocked, c.plain}
}

// MethodOf returns the name of the method in a spec, or "" if the spec has none.
func MethodOf(spec json.RawMessage) string {
	var named struct{ Method string }
	if json.Unmarshal(spec, &named) != nil {
		return ""
	}
	return named.Method
}

type comparator struct {
	stored, again *store.Artifact
	stage, method string
	bounds        Bounds
	differences   []Difference
	reason        string // first difference that rounding does not explain
	clocked       bool   // a wall-clock time differs
	plain         bool   // something other than the size of a number differs
}

// files returns the names of the files to compare. The training log is first, because differences begin there.
func (c *comparator) files() []string {
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

// refuse records a difference that neither rounding nor other inputs explain.
func (c *comparator) refuse(format string, arguments ...any) {
	c.plain = true
	c.tooFar(format, arguments...)
}

// tooFar records a difference that is too large for rounding, but that other inputs may explain.
func (c *comparator) tooFar(format string, arguments ...any) {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, arguments...)
	}
}

// tables compares the columns of a Parquet file.
func (c *comparator) tables(name string, a, b *safefile.Frame) {
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
		if name == StepsFile && x.Name == y.Name && c.isScheduled(x.Name) {
			c.equal(name, x, y)
		}
	}
	for i := range a.Columns {
		x, y := &a.Columns[i], &b.Columns[i]
		switch {
		case x.Name == clockColumn && y.Name == clockColumn && x.Values != nil && y.Values != nil:
			c.clocked = c.clocked || !slices.Equal(x.Values, y.Values)
		case x.Name != y.Name || (x.Values == nil) != (y.Values == nil):
			c.refuse("%s has a column %s and %s in its place", name, x.Name, y.Name)
		case x.Values == nil:
			if row := firstDifference(x.Texts, y.Texts); row >= 0 {
				c.refuse("%s, row %d: %s is %q and %q", name, row+1, x.Name, x.Texts[row], y.Texts[row])
			}
		case name == StepsFile:
			first := min(firstSteps, len(x.Values))
			c.numbers(name, x.Name+", first steps", x.Values[:first], y.Values[:first], relative)
			c.numbers(name, x.Name, x.Values, y.Values, relative)
		default:
			c.numbers(name, x.Name, x.Values, y.Values, absolute)
		}
	}
}

// firstDifference returns the first index at which two lists of equal length differ, or -1.
func firstDifference(a, b []string) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// isScheduled reports whether a column of the training log is fixed before training begins. The learning rate is not
// fixed if it falls when a score stops rising; the stage then has measurements of its differences.
func (c *comparator) isScheduled(column string) bool {
	_, moves := c.bounds.largest(c.stage, c.method, StepsFile, column)
	return slices.Contains([]string{"step", "rate", "examples"}, column) && !moves
}

// equal records columns of numbers that are not equal as a refused difference.
func (c *comparator) equal(file string, a, b *safefile.Column) {
	for i := range min(len(a.Values), len(b.Values)) {
		if a.Values[i] != b.Values[i] {
			c.refuse("%s, step %d: the %s is %v and %v, and rounding has no part in it", file, i+1, a.Name,
				a.Values[i], b.Values[i])
			return
		}
	}
}

// A unit returns the size by which |x − y| is divided: 1 for absolute differences, max(|x|, |y|) for relative ones.
type unit func(x, y float64) float64

func absolute(_, _ float64) float64 { return 1 }
func relative(x, y float64) float64 { return max(math.Abs(x), math.Abs(y)) }

// numbers compares two columns of equal length and records their difference.
func (c *comparator) numbers(file, column string, a, b []float64, of unit) {
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
