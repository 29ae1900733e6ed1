package study

import (
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Metric is a column of a table, declared once. The value of a cell, its certificate, its trace and its explanation
// in words are all computed from this declaration:
//
//	{Name: "IdZSC", Score: grid.Mean("right"), Rows: []bench.Condition{bench.Among("split", "forget_identity")},
//		Unit: "identity", Family: people, Share: true,
//		Target: "clean", Margin: grid.Margin{Share: .1, From: "clean", To: "compromised"}, Test: mcnemar}
//
// The life of a metric:
//
//  1. [Layout.Check] compares it with the columns of the score files when the plan is made.
//  2. [Metric.Outcomes] selects rows of an [Evaluation] and computes an outcome of each, or one number of all.
//  3. [Metric.Column] returns what a [Grid] certifies: outcomes, target, margin, test, and the readings of the trace.
//  4. [Metric.How] says in words how the value is computed.
type Metric struct {
	// Name identifies the metric: metrics that read other rows or compute another score have other names.
	Name   string
	About  string        // what the metric measures, for a glossary
	Better report.Better // which values are ranked first
	Score  Score

	File   string      // file of the run that is read; "" for the file of the evaluation
	Rows   []Condition // rows that count; all rows if empty
	Chosen *Chosen     // a further condition, from the scores of another model
	By     []string    // columns that identify a row in a trace

	// Fixed has the references whose score is known by definition. Nothing is read of them, and nothing is uncertain.
	Fixed map[string]float64

	Unit   string         // column that says which outcomes depend on each other; "" for a score that is one number
	Family certify.Family // what the units are
	Share  bool           // outcomes are from 0 to 1
	Target string         // reference that the score should come back to; "" for none
	Margin Margin
	Test   Test // the paper's own test; the zero value for none
}

// A Score computes outcomes from selected rows. The functions [Mean], [Number] and [Combine] make the three kinds.
type Score struct {
	How    string   // in words: "the mean of right"
	Values []string // columns that are read; rows without a value in any of them do not count

	// Value turns a value of a column into an outcome; nil leaves it as it is. Tested turns it into what the paper's
	// test compares; nil compares the outcomes.
	Value, Tested func(value float64) float64

	number  func(rows Rows) float64
	combine func(values []float64) float64
	refs    []Ref
}

// Mean returns the score whose outcomes are the values of columns, so that the value of a cell is their mean. The
// values of the second column follow the values of the first.
func Mean(columns ...string) Score {
	return Score{How: "the mean of " + strings.Join(columns, " and "), Values: columns}
}

// Number returns the score that is one number of all selected rows. It reads the named columns.
func Number(how string, number func(rows Rows) float64, columns ...string) Score {
	return Score{How: how, Values: columns, number: number}
}

// Combine returns the score that is a number computed from other metrics, whose values are handed over in the order of
// the references. This is also the order of the readings in a trace.
func Combine(how string, combine func(values []float64) float64, refs ...Ref) Score {
	return Score{How: how, combine: combine, refs: refs}
}

// A Ref is a metric under a model.
type Ref struct {
	Model  string // name of a reference; "" for the model of the row
	Metric Metric
}

// Own returns a metric under the model of the row.
func Own(m Metric) Ref { return Ref{Metric: m} }

// Under returns a metric under a reference.
func Under(model string, m Metric) Ref { return Ref{model, m} }

// Chosen keeps the rows whose Column has a value that selected rows of a reference have.
type Chosen struct {
	How    string // which rows these are, in words
	Column string
	Model  string // name of the reference
	Rows   []Condition
	// Lowest is a column whose lowest values alone count, one row in Share. It is "" if all rows count.
	Lowest string
	Share  int
}

// Margin is the distance from the target within which a score is matched: Absolute, or a share of the distance between
// the means of two references, or without From a share of the target.
type Margin struct {
	Absolute float64
	Share    float64
	From, To string
}

// How says in words how the value in one repetition is computed.
func (m Metric) How() string {
	if m.Chosen != nil {
		return m.Score.How + " of " + m.Chosen.How
	}
	return m.Score.How
}

// one reports whether the score is one number a repetition.
func (m Metric) one() bool { return m.Score.number != nil || m.Score.combine != nil }

// Glossary returns what metrics measure: one item for metrics with the same words, in the order of their first.
func Glossary(metrics []Metric) (items []Item) {
	at := map[string]int{}
	for _, m := range metrics {
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

// Find returns the metric of a name. It panics if the name is unknown: names of metrics are part of the program.
func Find(metrics []Metric, name string) Metric {
	for _, m := range metrics {
		if m.Name == name {
			return m
		}
	}
	panic("grid: no metric " + name)
}

// fixed returns the score that an evaluation has by definition.
func (m Metric) fixed(e *Evaluation, refs References) (value float64, is bool) {
	for name, value := range m.Fixed {
		if refs[name] == e {
			return value, true
		}
	}
	return math.NaN(), false
}
