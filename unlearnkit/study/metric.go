package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Metric is a column of a table, declared once. The value of a cell, its certificate, its trace and its explanation
// in words are all computed from this declaration:
//
//	{Name: "IdZSC", Score: study.Mean("right"), Rows: []study.Condition{study.Among("split", "forget_identity")},
//		Unit: "identity", Family: people, Share: true,
//		Target: "clean", Margin: study.Margin{Share: .1, From: "clean", To: "compromised"}, Test: mcnemar}
//
// The life of a metric:
//
//  1. [Layout.Check] checks it against the columns of the score files when the plan is made.
//  2. [Metric.Outcomes] selects rows of an [Evaluation] and computes one outcome per row, or one number.
//  3. [Metric.Column] returns what a [Grid] certifies: outcomes, target, margin, test, and the readings of the trace.
//  4. [Metric.How] describes in words how the value is computed.
type Metric struct {
	// Name is the title of the column. Metrics of one name and the same rows must compute the same score.
	Name   string
	About  string        // what the metric measures, for a glossary
	Better report.Better // which values are ranked first
	Score  Score

	File   string      // file of the run that is read; "" for the file of the evaluation
	Rows   []Condition // rows that count; all rows if empty
	Chosen *Chosen     // another condition, which the scores of a reference model determine
	By     []string    // columns that identify a row in a trace

	// Fixed maps references to scores that are known by definition. Their files are not read, and they have no
	// uncertainty.
	Fixed map[string]float64

	// Unit is the column that groups dependent outcomes. It is "" for a score that is one number per repetition, and
	// for [Outcomes], whose outcomes have units of their own.
	Unit string
	// Family is the kind of the units, which notes name. For a score that is one number, it names what a repetition has
	// one of, such as models.
	Family  certify.Family
	Share   bool   // outcomes are from 0 to 1
	Percent bool   // outcomes are from 0 to 100
	Target  string // reference whose score is the target; "" for none
	Margin  Margin
	Test    Test // the paper's own test; the zero value for none
}

// A Score computes outcomes from selected rows. [Mean], [Outcomes], [Number] and [Combine] create scores.
type Score struct {
	How    string   // in words: "the mean of right"
	Values []string // columns that are read; a row counts if it has a value in at least one of them

	// Value turns a value of a column into an outcome. Tested turns it into the value that the paper's test compares.
	// If Value is nil, outcomes are the values; if Tested is nil, the test compares the outcomes.
	Value, Tested func(value float64) float64

	number   func(rows Rows) float64
	outcomes func(rows Rows) []Outcome
	combine  func(values []float64) float64
	refs     []Ref
}

// Mean returns the score whose outcomes are the values of columns. The value of a cell is their mean. The values of the
// second column follow the values of the first.
func Mean(columns ...string) Score {
	return Score{How: "the mean of " + strings.Join(columns, " and "), Values: columns}
}

// Number returns a score that is one number for all selected rows. It reads the named columns. The rows that number
// receives have a value in at least one of the columns; with several columns, other values may be NaN.
func Number(how string, number func(rows Rows) float64, columns ...string) Score {
	return Score{How: how, Values: columns, number: number}
}

// Outcomes returns a score whose outcomes a function computes from all selected rows. It reads the named columns.
func Outcomes(how string, outcomes func(rows Rows) []Outcome, columns ...string) Score {
	return Score{How: how, Values: columns, outcomes: outcomes}
}

// Combine returns a score that is computed from the values of other metrics. It passes the values in the order of the
// references, which is also the order of the readings in a trace.
func Combine(how string, combine func(values []float64) float64, refs ...Ref) Score {
	return Score{How: how, combine: combine, refs: refs}
}

// A Ref is a metric of a model.
type Ref struct {
	Model  string // name of a reference; "" for the model of the row
	Metric Metric
}

// Own returns a reference to a metric of the row's model.
func Own(m Metric) Ref { return Ref{Metric: m} }

// Under returns a reference to a metric of another model.
func Under(model string, m Metric) Ref { return Ref{model, m} }

// Chosen keeps the rows whose value in Column also occurs in the selected rows of a reference.
type Chosen struct {
	How    string // the chosen rows in words
	Column string
	Model  string // name of the reference
	Rows   []Condition
	// Lowest is a column that limits the choice to the rows with the lowest values, one row in Share. If it is "", all
	// rows count.
	Lowest string
	Share  int
}

// Margin is the largest distance from the target that counts as matched. It is Absolute, or a share of the distance
// between the means of two references. If From is "", it is a share of the target.
//
// From names a model that never saw the forgotten data, and To a model that remembers them. If To's mean is below
// From's, values below the target are under-forgotten and values above it over-forgotten. Without From and To, values
// above the target are under-forgotten.
type Margin struct {
	Absolute float64
	Share    float64
	From, To string
}

// How describes in words how the value in one repetition is computed.
func (m Metric) How() string {
	if m.Chosen != nil {
		return m.Score.How + " of " + m.Chosen.How
	}
	return m.Score.How
}

// OneNumber reports whether the score is one number per repetition.
func (m Metric) OneNumber() bool { return m.Score.number != nil || m.Score.combine != nil }

// Glossary returns what the metrics measure. Metrics with equal descriptions share an item. Several metrics of one name
// are listed once.
func Glossary(metrics []Metric) (items []Item) {
	at, listed := map[string]int{}, map[string]bool{}
	for _, m := range metrics {
		if listed[m.Name] {
			continue
		}
		listed[m.Name] = true
		i, known := at[m.About]
		if !known {
			i = len(items)
			at[m.About] = i
			items = append(items, Item{Name: m.Name, About: m.About})
			continue
		}
		items[i].Name += ", " + m.Name
	}
	return items
}

// Select returns the metrics with some names, in the order of the names. It panics if a name is unknown.
func Select(metrics []Metric, names ...string) (selected []Metric) {
	for _, name := range names {
		selected = append(selected, Find(metrics, name))
	}
	return selected
}

// Find returns the metric with a name. It panics if the name is unknown, because metric names are part of the program.
func Find(metrics []Metric, name string) Metric {
	for _, m := range metrics {
		if m.Name == name {
			return m
		}
	}
	panic("study: no metric " + name)
}

// WithTarget returns the metrics with one model as their target, or without a target if model is "".
func WithTarget(model string, metrics []Metric) []Metric {
	metrics = slices.Clone(metrics)
	for i := range metrics {
		metrics[i].Target = model
	}
	return metrics
}

// id identifies the metric among all metrics of an evaluation.
func (m Metric) id() string {
	id := m.Name + "\x00" + m.File
	for _, c := range m.Rows {
		id += "\x00" + c.Column + "\x00" + strings.Join(c.Words, "\x00")
		if c.Words == nil || c.Not {
			id += fmt.Sprint(c.Not, c.Numbers)
		}
	}
	return id
}

// fixed returns the score that an evaluation has by definition, if there is one.
func (m Metric) fixed(e *Evaluation, refs References) (value float64, is bool) {
	for name, value := range m.Fixed {
		if refs[name] == e {
			return value, true
		}
	}
	return math.NaN(), false
}

// Outcome is the value of one example in a column.
type Outcome struct {
	Unit   int     // unit of the column's family; a negative unit is independent of all others
	Value  float64 // value that enters the mean
	Tested float64 // value that the paper's own test compares
}

// Test is a paper's own test of a model's values against the target's values, example by example.
type Test struct {
	Name string
	P    func(values, targets []float64) float64
}
