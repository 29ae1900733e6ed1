package study

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Outcomes returns the outcomes of an evaluation, in the order of its rows. A single-number score has one outcome.
// There are no outcomes if the model diverged or if the run lacks the file.
func (m Metric) Outcomes(e *Evaluation, refs References) []Outcome {
	switch {
	case e.Lost():
		return nil
	case m.OneNumber():
		value := m.number(e, refs)
		return []Outcome{{Value: value, Tested: value}}
	case e.FrameOf(m.File) == nil:
		return nil
	}
	frame, rows := e.FrameOf(m.File), m.rowsOf(e, refs)
	if m.Score.outcomes != nil {
		return m.Score.outcomes(Rows{frame, rows})
	}
	units := numbers(frame, m.Unit)
	outcomes := make([]Outcome, 0, len(rows)*len(m.Score.Values))
	for _, name := range m.Score.Values {
		values := numbers(frame, name)
		for _, row := range rows {
			o := Outcome{Unit: int(units[row]), Value: values[row]}
			if m.Score.Value != nil {
				o.Value = m.Score.Value(values[row])
			}
			o.Tested = o.Value
			if m.Score.Tested != nil {
				o.Tested = m.Score.Tested(values[row])
			}
			if !math.IsNaN(o.Value) {
				outcomes = append(outcomes, o)
			}
		}
	}
	return outcomes
}

// Mean returns the value of a metric: the mean of its outcomes, or NaN without outcomes. It always adds in row order,
// so that repeated calls agree to the last bit.
func (m Metric) Mean(e *Evaluation, refs References) float64 {
	if m.OneNumber() {
		return m.number(e, refs)
	}
	outcomes, sum := m.Outcomes(e, refs), 0.0
	for _, o := range outcomes {
		sum += o.Value
	}
	return sum / float64(len(outcomes))
}

// Examples returns how many rows of an evaluation the metric reads. A row that several combined metrics read counts
// once.
func (m Metric) Examples(e *Evaluation, refs References) int {
	read := map[example]bool{}
	m.examples(read, e, refs)
	return len(read)
}

// example identifies a row of a file.
type example struct {
	file string
	row  int
}

func (m Metric) examples(read map[example]bool, e *Evaluation, refs References) {
	for _, ref := range m.Score.refs {
		if ref.Model == "" {
			ref.Metric.examples(read, e, refs)
		}
	}
	if m.Score.combine != nil || e.Lost() || e.FrameOf(m.File) == nil {
		return
	}
	for _, row := range m.rowsOf(e, refs) {
		read[example{m.File, row}] = true
	}
}

// Compute computes single-number scores in parallel and caches them in their evaluations, for later tables. It skips
// scores that combine others, because they are cheap.
func (m Metric) Compute(evaluations ...*Evaluation) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, e := range evaluations {
		if !e.Lost() && m.Score.number != nil {
			group.Go(func() error {
				m.number(e, nil)
				return nil
			})
		}
	}
	_ = group.Wait() // the functions return no errors
}

// number returns the score of an evaluation as one number, or NaN if the model diverged or the run lacks the file.
func (m Metric) number(e *Evaluation, refs References) float64 {
	if e.Lost() {
		return math.NaN()
	}
	if value, fixed := m.fixed(e, refs); fixed {
		return value
	}
	if m.Score.combine != nil { // not cached, because combined scores depend on the references
		values := make([]float64, len(m.Score.refs))
		for i, ref := range m.Score.refs {
			values[i] = ref.Metric.number(ref.of(e, refs), refs)
		}
		return m.Score.combine(values)
	}
	if e.FrameOf(m.File) == nil {
		return math.NaN()
	}
	value, _ := e.numbers.Get(m.id(), func() (float64, error) {
		return m.Score.number(Rows{e.FrameOf(m.File), m.rowsOf(e, refs)}), nil
	})
	return value
}

// of returns the evaluation that a reference refers to.
func (r Ref) of(e *Evaluation, refs References) *Evaluation {
	if r.Model == "" {
		return e
	}
	return refs[r.Model]
}

// Selection returns which rows the metric reads in a repetition with the given references.
func (m Metric) Selection(refs References) Selection {
	s := Selection{By: m.By, Values: m.Score.Values, Where: m.Rows}
	if m.Chosen != nil {
		s.Where = append(slices.Clone(s.Where), m.choice(refs[m.Chosen.Model]))
	}
	return s
}

// rowsOf returns the indices of the selected rows. Evaluations of the same examples share them.
func (m Metric) rowsOf(e *Evaluation, refs References) []int {
	find := func() ([]int, error) { return selectRows(m.Selection(refs), e.FrameOf(m.File)), nil }
	if m.File != "" {
		rows, _ := find()
		return rows
	}
	key := selected{metric: m.id()}
	if m.Chosen != nil {
		key.chooser = refs[m.Chosen.Model]
	}
	rows, _ := e.leader().rows.Get(key, find)
	return rows
}

// choice returns the row condition that follows from the scores of a reference model.
func (m Metric) choice(chooser *Evaluation) Condition {
	condition, _ := chooser.choices.Get(m.id(), func() (Condition, error) {
		return m.Chosen.condition(chooser, m.By), nil
	})
	return condition
}

func (c Chosen) condition(chooser *Evaluation, by []string) Condition {
	where := c.read(by)
	rows, column := selectRows(where, chooser.frame), chooser.frame.Column(c.Column)
	if c.Lowest != "" {
		values := numbers(chooser.frame, c.Lowest)
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		rows = rows[:len(rows)/c.Share]
	}
	condition := Condition{Column: c.Column, Chosen: &Choice{Lowest: c.Lowest,
		Reading: Reading{Run: chooser.Run, File: chooser.File, Rows: where}}}
	if column.Texts != nil {
		condition.Words = distinct(column.Texts, rows)
	} else {
		condition.Numbers = distinct(column.Values, rows)
	}
	if c.Lowest != "" {
		condition.Chosen.Count = len(condition.Words) + len(condition.Numbers)
	}
	return condition
}

// read returns which rows of the reference model's scores are read to choose values.
func (c Chosen) read(by []string) Selection {
	s := Selection{By: by, Where: c.Rows}
	if c.Lowest != "" {
		s.Values = []string{c.Lowest}
	}
	return s
}

// distinct returns the distinct values of a column in the given rows, sorted.
func distinct[V cmp.Ordered](column []V, rows []int) []V {
	values := make([]V, len(rows))
	for i, row := range rows {
		values[i] = column[row]
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// selectRows panics if a column is missing, as the function numbers does. [Layout.Check] and [Layout.Load] report such
// errors earlier.
func selectRows(s Selection, frame *safefile.Frame) []int {
	rows, err := s.Select(frame)
	if err != nil {
		panic(err)
	}
	return rows
}
