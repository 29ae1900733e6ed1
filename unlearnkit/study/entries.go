package study

import (
	"fmt"
	"slices"
	"strings"
)

// A Key names a label of scores, such as the method. V is the type of its values, so that a label with an unknown key or
// with a value of another type does not compile.
type Key[V comparable] string

// Label is a key with a value. [Key.Is] makes labels.
type Label struct {
	Key   string
	Value any
}

// Is returns the label with a value.
func (k Key[V]) Is(value V) Label { return Label{string(k), value} }

// Of returns the value that the key has among labels, or the zero value.
func (k Key[V]) Of(labels []Label) (value V) {
	for _, l := range labels {
		if l.Key == string(k) {
			return l.Value.(V)
		}
	}
	return value
}

// Entry is a planned score file with its labels.
type Entry struct {
	Run        *Run
	File       string
	Repetition int
	Budget     int      // training budget; 0 for none
	Levels     []string // parts of the name of the row that shows the scores
	Labels     []Label
	Reference  string // name by which metrics refer to the model; "" for a model that is no reference
	Pair       *Entry // scores of the same examples in the same order; nil for none
}

// has reports whether the entry has all labels.
func (e *Entry) has(labels []Label) bool {
	return !slices.ContainsFunc(labels, func(l Label) bool { return !slices.Contains(e.Labels, l) })
}

// Entries lists the score files of a plan, in the order in which they were planned.
type Entries []*Entry

// Add adds an entry and returns it.
func (all *Entries) Add(e Entry) *Entry {
	*all = append(*all, &e)
	return &e
}

// Where returns the entries that have all labels.
func (all Entries) Where(labels ...Label) (some Entries) {
	for _, e := range all {
		if e.has(labels) {
			some = append(some, e)
		}
	}
	return some
}

// Runs returns the runs of the entries, without duplicates.
func (all Entries) Runs() (runs []*Run) {
	for _, e := range all {
		if !slices.Contains(runs, e.Run) {
			runs = append(runs, e.Run)
		}
	}
	return runs
}

// Check panics if no entry has one of the labels. The message lists the values that the label has. A misspelt method is
// then an error in every test that asks for it.
func (all Entries) Check(labels ...Label) {
	for _, l := range labels {
		var values []string
		known := slices.ContainsFunc(all, func(e *Entry) bool {
			for _, own := range e.Labels {
				if text := fmt.Sprint(own.Value); own.Key == l.Key && !slices.Contains(values, text) {
					values = append(values, text)
				}
			}
			return slices.Contains(e.Labels, l)
		})
		if !known {
			panic(fmt.Sprintf("study: no scores have the %s %v; there are %s", l.Key, l.Value, strings.Join(values, ", ")))
		}
	}
}
