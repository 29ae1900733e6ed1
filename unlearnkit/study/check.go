package study

import (
	"fmt"
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Check returns an error if a metric reads a column or names a reference model that the layout lacks. Two metrics with
// the same name and the same rows must also read the same columns.
func (l Layout) Check(metrics ...Metric) error {
	known := map[string]string{}
	for _, m := range metrics {
		if err := l.check(m, known); err != nil {
			return fmt.Errorf("metric %s: %w", m.Name, err)
		}
	}
	return nil
}

// check checks one metric against the layout. The map known records which columns the earlier metrics read, by metric
// name.
func (l Layout) check(m Metric, known map[string]string) error {
	if m.Score.combine == nil { // a combined score reads other metrics and has no columns of its own
		reads := fmt.Sprint(m.Chosen, m.Score.Values)
		if other, is := known[m.id()]; is && other != reads {
			return fmt.Errorf("another metric is named %s and reads other columns", m.Name)
		}
		known[m.id()] = reads
	}
	if m.OneNumber() && m.Unit != "" {
		return fmt.Errorf("its score is one number, which has no unit %q; leave Unit empty", m.Unit)
	}
	fields := l.Fields
	if m.File != "" {
		fields = l.Files[m.File]
	}
	columns := columns{fields, m.File}
	names := slices.AppendSeq([]string{m.Target, m.Margin.From, m.Margin.To}, maps.Keys(m.Fixed))
	errs := []error{columns.numbers(append(m.Score.Values, m.Unit)...), columns.any(m.By...), columns.where(m.Rows)}
	if c := m.Chosen; c != nil {
		names = append(names, c.Model)
		errs = append(errs, columns.numbers(c.Lowest), columns.any(c.Column), columns.where(c.Rows))
	}
	for _, ref := range m.Score.refs {
		names = append(names, ref.Model)
		errs = append(errs, l.check(ref.Metric, known))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for _, name := range names {
		if name != "" && !slices.Contains(l.References, name) {
			return fmt.Errorf("no reference %q; there are %q", name, l.References)
		}
	}
	return nil
}

type columns struct {
	fields []safefile.Field
	file   string
}

// find returns an error if the file has no column with this name or if right rejects the column. kind names the wanted
// type in the error. An empty name is always accepted.
func (c columns) find(name, kind string, right func(f safefile.Field) bool) error {
	is := func(f safefile.Field) bool { return f.Name == name && right(f) }
	if name == "" || slices.ContainsFunc(c.fields, is) {
		return nil
	}
	if c.file == "" {
		return fmt.Errorf("the score file has no column %q%s", name, kind)
	}
	return fmt.Errorf("%s has no column %q%s", c.file, name, kind)
}

func (c columns) numbers(names ...string) error {
	for _, name := range names {
		if err := c.find(name, " of numbers", func(f safefile.Field) bool { return !f.Words }); err != nil {
			return err
		}
	}
	return nil
}

func (c columns) any(names ...string) error {
	for _, name := range names {
		if err := c.find(name, "", func(safefile.Field) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

func (c columns) where(conditions []Condition) error {
	for _, condition := range conditions {
		if condition.Words == nil {
			if err := c.numbers(condition.Column); err != nil {
				return err
			}
			continue
		}
		err := c.find(condition.Column, " of words", func(f safefile.Field) bool { return f.Words })
		if err != nil {
			return err
		}
	}
	return nil
}
