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
	// Name is the title of the column. Metrics with the same name and the same rows must compute the same score.
	Name   string
	About  string        // what the metric measures, for a glossary
	Better report.Better // which values are better, for ranking
	Score  Score

	File   string      // name of the file that is read; "" for the evaluation's score file
	Rows   []Condition // conditions for the rows that are read; empty for all rows
	Chosen *Chosen     // another condition on the rows, derived from the scores of a reference model; nil for none
	By     []string    // columns that identify a row when a cell is traced

	// Fixed maps reference models to scores that are known by definition. Their files are not read, and these scores
	// have no uncertainty.
	Fixed map[string]float64

	// Unit is the column that groups dependent outcomes. It is "" for a single number per repetition, and for
	// [Outcomes], where each outcome already has a unit.
	Unit string
	// Family names the kind of unit for notes, such as speakers. For a single number per repetition, it names the kind
	// of thing that is scored, such as models.
	Family  certify.Family
	Share   bool   // outcomes are from 0 to 1
	Percent bool   // outcomes are from 0 to 100
	Target  string // reference model whose score is the target; "" for none
	Margin  Margin
	Test    Test // the paper's own test; the zero value for none
}

// A Score computes outcomes from selected rows. [Mean], [Outcomes], [Number] and [Combine] make scores.
type Score struct {
	How    string   // description in words, such as "the mean of right"
	Values []string // columns that are read; rows without a value in any of them are skipped

	// Value converts a value of a column to an outcome, and Tested to the value that the paper's test compares. If
	// Value is nil, the outcome is the value. If Tested is nil, the test compares outcomes.
	Value, Tested func(value float64) float64

	number   func(rows Rows) float64
	outcomes func(rows Rows) []Outcome
	combine  func(values []float64) float64
	refs     []Ref
}

// Mean returns the score whose outcomes are the values of columns, so that a cell shows their mean. The outcomes of the
// first column come first.
func Mean(columns ...string) Score {
	return Score{How: "the mean of " + strings.Join(columns, " and "), Values: columns}
}

// Number returns a score that is one number, computed by a function from all selected rows. Each of these rows has a
// value in at least one of the columns; the row's other values may be NaN.
func Number(how string, number func(rows Rows) float64, columns ...string) Score {
	return Score{How: how, Values: columns, number: number}
}

// Outcomes returns a score whose outcomes a function computes from all selected rows. It reads the named columns.
func Outcomes(how string, outcomes func(rows Rows) []Outcome, columns ...string) Score {
	return Score{How: how, Values: columns, outcomes: outcomes}
}

// Combine returns a score that is computed from the values of other metrics. The function receives the values in the
// order of refs, which is also the order of the readings in a trace.
func Combine(how string, combine func(values []float64) float64, refs ...Ref) Score {
	return Score{How: how, combine: combine, refs: refs}
}

// A Ref is the value of a metric for one model.
type Ref struct {
	Model  string // name of a reference model; "" for the model of the row
	Metric Metric
}

// Own refers to the metric's value for the row's own model.
func Own(m Metric) Ref { return Ref{Metric: m} }

// Under refers to the metric's value for a reference model.
func Under(model string, m Metric) Ref { return Ref{model, m} }

// Chosen keeps the rows whose value in Column also occurs in selected rows of a reference model's scores.
type Chosen struct {
	How    string // description of the chosen rows in words
	Column string
	Model  string // name of the reference model
	Rows   []Condition
	// Lowest is a column of the reference model's scores. Only the rows with its lowest values are used, one row in
	// Share. If Lowest is "", all rows are used.
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

// Glossary returns descriptions of what the metrics measure. Metrics with equal descriptions share an item. Metrics
// with the same name are listed once.
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

// Select returns the metrics with the given names, in the order of the names. It panics if a name is unknown.
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

// id returns a text that identifies the metric among all metrics of an evaluation.
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

// fixed returns the score that an evaluation has by definition, if Fixed contains one.
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
	Unit   int     // unit of dependent outcomes; outcomes with a negative unit are independent of all others
	Value  float64 // value that is averaged
	Tested float64 // value that the paper's own test compares
}

// Test is a paper's own test of a model's values against the target's values, example by example.
type Test struct {
	Name string
	P    func(values, targets []float64) float64
}
