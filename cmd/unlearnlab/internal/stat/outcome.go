package stat

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
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
func (o outcome) object(c comparison, several bool) map[string]any {
	fields := map[string]any{
		"test": o.test, "statistic": number(o.statistic), "p": number(o.p), "n": o.n, "method": o.method,
		"effect": number(o.effect.Value), "effect_name": o.effect.Name,
		"interval": []*float64{number(o.effect.Lo), number(o.effect.Hi)},
		"warnings": append([]string{}, o.warnings...), "columns": c.names,
	}
	if several {
		fields["p_adjusted"] = number(*o.holm)
	}
	for _, e := range o.extra {
		fields[e.name] = e.value
	}
	return fields
}

// writeOutcomes writes a single outcome as an object, several as a list under "comparisons".
func writeOutcomes(w io.Writer, comparisons []comparison) error {
	if len(comparisons) == 1 {
		return cli.WriteJSON(w, comparisons[0].outcome.object(comparisons[0], false))
	}
	var objects []map[string]any
	for _, c := range comparisons {
		objects = append(objects, c.outcome.object(c, true))
	}
	return cli.WriteJSON(w, map[string]any{"test": comparisons[0].outcome.test, "adjustment": "holm",
		"comparisons": objects})
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
