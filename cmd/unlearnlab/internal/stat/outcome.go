package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// outcome is the result of a test.
type outcome struct {
	test      string
	statistic float64
	p         float64
	holm      *float64 // p-value adjusted over the call's comparisons; nil for a single one
	n         int
	method    string
	effect    stat.Effect
	warnings  []string
	interval  bool    // the result is an interval without a p-value
	extra     []extra // additional lines and JSON fields
	words     func(adjusted float64, names ...string) string
}

// extra is an additional result of one test.
type extra struct {
	name  string
	value any
	text  string // line of text; may be empty
}

func ofResult(r stat.Result, effect stat.Effect) outcome {
	r.Effect = effect
	return outcome{statistic: r.Statistic, p: r.P, n: r.N, method: r.Method.String(), effect: effect,
		warnings: r.Warnings.Texts(), words: r.Sentence}
}

func ofEquivalence(r stat.TOSTResult) outcome {
	o := ofResult(r.Result, r.Effect)
	o.words = r.Sentence
	return o
}

func ofBootstrap(r stat.BootstrapResult, name string) outcome {
	return outcome{
		statistic: r.Estimate, p: math.NaN(), n: r.N, method: r.Kind.String(), effect: r.Effect(name),
		warnings: r.Warnings.Texts(), interval: true,
		extra: []extra{{name: "se", value: number(r.SE)}, {name: "resamples", value: r.Resamples},
			{name: "units", value: r.Units}},
		words: func(_ float64, names ...string) string { return r.Sentence(name, names...) },
	}
}

// number returns v for JSON, or null for NaN and infinity, which JSON lacks.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// object returns the outcome as a JSON object.
func (o outcome) object(c comparison) map[string]any {
	fields := map[string]any{
		"test": o.test, "statistic": number(o.statistic), "p": number(o.p), "n": o.n, "method": o.method,
		"effect": number(o.effect.Value), "effect_name": o.effect.Name,
		"interval": []*float64{number(o.effect.Lo), number(o.effect.Hi)},
		"warnings": append([]string{}, o.warnings...), "columns": c.names,
	}
	if o.holm != nil {
		fields["p_adjusted"] = number(*o.holm)
	}
	for _, e := range o.extra {
		fields[e.name] = e.value
	}
	return fields
}

// records returns the outcomes, one record per comparison.
func records(comparisons []comparison) report.Records {
	rows := make([]map[string]any, len(comparisons))
	for i, c := range comparisons {
		rows[i] = c.outcome.object(c)
	}
	return report.Records{Rows: rows}
}

// outcomeTable returns a table with a row for each comparison.
func outcomeTable(comparisons []comparison) *report.Table {
	first := comparisons[0].outcome
	t := &report.Table{Title: first.test, Corner: "Columns", Columns: []report.Column{{Name: "n"},
		{Name: "Statistic"}, {Name: first.effect.Name}, {Name: "p"}}}
	several := first.holm != nil
	if several {
		t.Columns = append(t.Columns, report.Column{Name: "p (Holm)"})
	}
	t.Columns = append(t.Columns, report.Column{Name: "Method", Words: true}, report.Column{Name: "Notes", Words: true})
	numeric := func(v float64) report.Cell { return report.Interval("%.4g", v, math.NaN(), math.NaN()) }
	p := func(v float64) report.Cell { return report.Number(certify.PText(v), v) }
	for _, c := range comparisons {
		o := c.outcome
		row := report.Named(strings.Join(c.names, ", ")).With(report.Number(fmt.Sprint(o.n), float64(o.n)),
			numeric(o.statistic), report.Interval("%.3f", o.effect.Value, o.effect.Lo, o.effect.Hi), p(o.p))
		if several {
			row = row.With(p(*o.holm))
		}
		t.Rows = append(t.Rows, row.With(report.Word(o.method), report.Word(strings.Join(o.warnings, "; "))))
		for _, e := range o.extra {
			if e.text != "" {
				t.Note = strings.TrimSpace(t.Note + "\n" + e.text)
			}
		}
	}
	return t
}

// leastP returns the smallest p-value that a test by signs or ranks can have, whatever the values are. It returns 0 for
// other tests, with ties, and for p-values that are not exact.
func (c comparison) leastP() float64 {
	o := c.outcome
	if o.method != stat.Exact.String() {
		return 0
	}
	switch o.test {
	case "wilcoxon", "sign":
		return math.Pow(2, -float64(o.n))
	case "mannwhitney":
		x, y := float64(len(c.columns[0])), float64(len(c.columns[1]))
		if slices.Contains(o.warnings, stat.WarnTies.String()) {
			return 0
		}
		choices, _ := math.Lgamma(x + y + 1)
		first, _ := math.Lgamma(x + 1)
		second, _ := math.Lgamma(y + 1)
		return math.Exp(first + second - choices)
	}
	return 0
}

// leastNote returns a note if no data of this size could be significant at 5 %.
func (c comparison) leastNote(alternative stat.Alternative) []string {
	least, sides := c.leastP(), "one-sided"
	if alternative == stat.TwoSided {
		least, sides = 2*least, "two-sided"
	}
	if c.outcome.n == 0 || least < .05 || math.IsNaN(c.outcome.p) {
		return nil
	}
	return []string{fmt.Sprintf("p %s is the smallest possible %s p at n = %d", stat.Probability(min(least, 1)), sides,
		c.outcome.n)}
}

// sentence describes the result: "ours is lower than gold; p = .003, Holm .012, rank-biserial -.61 [-.78, -.35], n =
// 200".
func (c comparison) sentence(flags statFlags) string {
	o, adjusted, names := c.outcome, math.NaN(), c.names
	if o.holm != nil {
		adjusted = *o.holm
	}
	if len(names) == 1 && !o.interval {
		names = append(names, flags.null(o.test))
	}
	line := o.words(adjusted, names...)
	for _, e := range o.extra {
		if e.text != "" {
			line += "\n" + e.text
		}
	}
	if len(o.warnings) > 0 {
		line += "\nnote: " + strings.Join(o.warnings, "; ")
	}
	return line
}

// null describes the null hypothesis of a test on a single column.
func (f statFlags) null(test string) string {
	switch test {
	case "ks1":
		return "the " + f.cdf + " distribution"
	case "binomial":
		return fmt.Sprintf("probability %g", f.probability())
	}
	return fmt.Sprintf("%g", f.mu)
}
