package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Samples returns the outcomes of a row in a column, repetition by repetition and in row order.
func (g Grid) Samples(row Row, c Column) (all []Sample) {
	for repetition, e := range row.Scores {
		all = append(all, c.Metric.Samples(e, c.refs[repetition], repetition)...)
	}
	return all
}

// Samples returns the outcomes of an evaluation with the names of their examples.
func (m Metric) Samples(e *Evaluation, refs References, repetition int) (all []Sample) {
	outcomes := m.Outcomes(e, refs)
	if len(outcomes) == 0 {
		return nil
	}
	name := func(i int) string { return fmt.Sprint(i) }
	switch {
	case m.OneNumber():
		name = func(int) string { return "" }
	case m.Score.outcomes == nil:
		names := m.exampleNames(e, refs)
		name = func(i int) string { return names[i] }
	}
	for i, o := range outcomes {
		all = append(all, Sample{repetition, name(i), o})
	}
	return all
}

// exampleNames names the examples of the outcomes by the columns that identify a row.
func (m Metric) exampleNames(e *Evaluation, refs References) (names []string) {
	frame, rows := e.FrameOf(m.File), m.rowsOf(e, refs)
	for _, column := range m.Score.Values {
		values := numbers(frame, column)
		for _, row := range rows {
			value := values[row]
			if m.Score.Value != nil {
				value = m.Score.Value(value)
			}
			if math.IsNaN(value) {
				continue // the row has no outcome
			}
			name := exampleOf(frame, row, m.By)
			if len(m.Score.Values) > 1 {
				name += " " + column
			}
			names = append(names, name)
		}
	}
	return names
}

// exampleOf names a row by its values in the columns by, or by its number if there are no columns.
func exampleOf(frame *safefile.Frame, row int, by []string) string {
	var parts []string
	for _, name := range by {
		column := frame.Column(name)
		switch {
		case column == nil:
		case column.Texts != nil:
			parts = append(parts, column.Texts[row])
		default:
			parts = append(parts, fmt.Sprintf("%s %g", name, column.Values[row]))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("row %d", row+1)
	}
	return strings.Join(parts, ", ")
}
