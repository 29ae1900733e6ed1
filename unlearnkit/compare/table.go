package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// unitNote states what the intervals and p-values of a report refer to.
const unitNote = "One run per file or folder: the questions vary, trainings do not. Another training may differ by " +
	"more than these intervals."

// Table returns a table of all comparisons, followed by the metrics that could not be compared.
func (r *Report) Table() *report.Table {
	t := &report.Table{Title: unitNote, Note: r.note(), Corner: "Metric", Columns: []report.Column{
		{Name: "Questions of one run"}, {Name: "Mean"}, {Name: "Reference"}, {Name: "Difference"}, {Name: "p (Holm)"},
		{Name: "p equivalent"}, {Name: "Result", Words: true}}}
	if len(r.Runs) > 1 {
		t.Corners = []string{"Run", "Metric"}
	}
	for _, c := range r.Comparisons {
		questions := report.Number(c.units(), float64(c.Questions))
		if c.Groups > 0 {
			questions.Unit = strings.TrimPrefix(c.units(), fmt.Sprint(c.Questions)+" ")
		}
		t.Rows = append(t.Rows, r.row(c.Run, c.name()).With(questions,
			report.Number(fmt.Sprintf("%.3f", c.Cell.Estimate), c.Cell.Estimate),
			report.Number(fmt.Sprintf("%.3f", c.Cell.Target), c.Cell.Target),
			report.Interval("%+.3f", c.Cell.Difference, c.Cell.DifferenceLo, c.Cell.DifferenceHi),
			report.Number(certify.PText(c.Cell.DifferenceAdjusted), c.Cell.DifferenceAdjusted),
			report.Number(certify.PText(c.Cell.TOSTP), c.Cell.TOSTP), report.Word(string(c.Result))))
	}
	for _, s := range r.Skipped {
		number := func(v float64) report.Cell {
			if math.IsNaN(v) {
				return report.Word("–")
			}
			return report.Number(fmt.Sprintf("%.3g", v), v)
		}
		t.Rows = append(t.Rows, r.row(s.Run, s.Metric).With(report.Word("–"), number(s.Value), number(s.Against),
			report.Word("–"), report.Word("–"), report.Word("–"), report.Word("not compared: "+s.Why)))
	}
	return t
}

// row returns a row without cells for a metric. If there are several runs, its name includes the run.
func (r *Report) row(run, metric string) report.Row {
	if len(r.Runs) > 1 {
		return report.Named(run, metric)
	}
	return report.Named(metric)
}

// name returns the metric's name, followed by the reading if there is a choice.
func (c *Comparison) name() string {
	if c.Reading == "" {
		return c.Metric
	}
	return c.Metric + ", " + c.Reading
}

// units formats the number of questions and of their groups.
func (c *Comparison) units() string {
	if c.Groups > 0 {
		return fmt.Sprintf("%d in %d groups", c.Questions, c.Groups)
	}
	return fmt.Sprint(c.Questions)
}

// note returns the sentences printed below the table.
func (r *Report) note() string {
	var parts []string
	var bases []certify.Basis
	for _, c := range r.Comparisons {
		bases = append(bases, c.Cell.Basis)
		for _, note := range c.Notes {
			parts = append(parts, fmt.Sprintf("%s of %s: %s.", c.Metric, c.Run, note))
		}
	}
	if len(bases) > 0 {
		parts = append(parts, fmt.Sprintf("Differences are %s minus %s, with intervals of 95 %%.",
			strings.Join(r.Runs, ", "), r.Reference))
		if r.Margin > 0 {
			parts = append(parts, fmt.Sprintf("Equivalent: the interval is within ±%g.", r.Margin))
		}
		parts = append(parts, certify.Describe(bases)+".")
	}
	return strings.Join(append(r.alarms(), strings.Join(parts, " ")), "\n")
}

// alarms returns one sentence per run on whether the run lost retained knowledge.
func (r *Report) alarms() (sentences []string) {
	for _, run := range r.Runs {
		var lost []string
		watched := 0
		for _, c := range r.Comparisons {
			if c.Run == run && c.Watched {
				watched++
			}
			if c.Run == run && c.Alarm {
				lost = append(lost, fmt.Sprintf("%s %.3f instead of %.3f", c.Metric, c.Cell.Estimate, c.Cell.Target))
			}
		}
		switch {
		case len(lost) > 0:
			sentences = append(sentences, fmt.Sprintf("Over-forgetting: %s knows less than %s of what should be retained: "+
				"%s.", run, r.Reference, strings.Join(lost, ", ")))
		case watched == 0:
			sentences = append(sentences, fmt.Sprintf("Over-forgetting of %s was not tested: no metric of retained "+
				"knowledge can be compared; --retained names them.", run))
		default:
			sentences = append(sentences, fmt.Sprintf("No over-forgetting of %s was found in %d metrics of retained "+
				"knowledge.", run, watched))
		}
	}
	return sentences
}
