package study

import (
	"math"
	"slices"
)

// Column is a metric with the reference models of each repetition. [Metric.Column] makes columns.
type Column struct {
	Metric
	refs   []References // reference models of each repetition
	within float64      // largest distance from the target that still counts as a match; 0 for no margin
	falls  bool         // the score falls as a model remembers more
}

// Columns returns the certified columns of a [Grid] for some metrics. The slice refs holds the reference models of each
// repetition.
func Columns(metrics []Metric, refs []References) (columns []Column) {
	for _, m := range metrics {
		columns = append(columns, m.Column(refs))
	}
	return columns
}

// Column returns the certified column of a [Grid] for the metric. The slice refs holds the reference models of each
// repetition.
func (m Metric) Column(refs []References) Column {
	c := Column{Metric: m, refs: refs}
	if m.Target != "" {
		c.within, c.falls = m.margin(refs)
	}
	return c
}

// compared returns what a mean score is compared with: readings of the target, of the two models that define the
// margin, and of the scores that choose the rows.
func (m Metric) compared(refs []References) (all []Reading) {
	add := func(use Use, name string, rows Selection) {
		for _, of := range refs {
			if e := of[name]; e != nil && e.Run != nil {
				reading := e.Reading
				reading.For, reading.Rows = use, rows
				all = append(all, reading)
			}
		}
	}
	if m.Target != "" {
		add(ForTarget, m.Target, Selection{})
	}
	for _, name := range []string{m.Margin.From, m.Margin.To} {
		if name != "" && name != m.Target {
			add(ForMargin, name, Selection{})
		}
	}
	if m.Chosen != nil && m.Chosen.Lowest != "" {
		add(ForChoice, m.Chosen.Model, m.Chosen.read(m.By))
	}
	return all
}

// margin returns the margin, averaged over all repetitions. It also reports whether the model Margin.To scores lower
// than the model Margin.From.
func (m Metric) margin(refs []References) (within float64, falls bool) {
	mean := func(name string) (mean float64) {
		for _, of := range refs {
			mean += m.Mean(of[name], of) / float64(len(refs))
		}
		return mean
	}
	switch {
	case m.Margin.Absolute > 0:
		return m.Margin.Absolute, false
	case m.Margin.From == "":
		return m.Margin.Share * math.Abs(mean(m.Target)), false
	}
	rise := mean(m.Margin.To) - mean(m.Margin.From)
	return m.Margin.Share * math.Abs(rise), rise < 0
}

// readings returns everything that a single-number score reads in one repetition: scores of the model, of its target
// and of the two models that define the margin.
func (m Metric) readings(e *Evaluation, refs References) (all []Reading) {
	all = m.reads(nil, ForValue, e, refs)
	if m.Target != "" {
		all = m.reads(all, ForTarget, refs[m.Target], refs)
		for _, name := range []string{m.Margin.From, m.Margin.To} {
			all = m.reads(all, ForMargin, refs[name], refs)
		}
	}
	return all
}

// reads appends the readings that a single-number score needs from one evaluation. It skips duplicates.
func (m Metric) reads(all []Reading, use Use, e *Evaluation, refs References) []Reading {
	if _, fixed := m.fixed(e, refs); fixed {
		return all
	}
	for _, ref := range m.Score.refs {
		all = ref.Metric.reads(all, use, ref.of(e, refs), refs)
	}
	if m.Score.number == nil || e == nil || e.Run == nil {
		return all
	}
	r := e.Reading
	r.For, r.Rows = use, m.Selection(refs)
	if e.InFile != nil {
		r.Rows = e.InFile(m.File, r.Rows)
	}
	if m.File != "" {
		r.File = m.File
	}
	same := func(other Reading) bool {
		return other.Run == r.Run && other.File == r.File && slices.Equal(other.Rows.Values, r.Rows.Values)
	}
	if !slices.ContainsFunc(all, same) {
		all = append(all, r)
	}
	return all
}
