package stat

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// outcome is the result that every test prints.
type outcome struct {
	test      string
	statistic float64
	p         float64
	holm      *float64 // p adjusted over the comparisons of this call, nil for a single one
	n         int
	method    string
	effect    stat.Effect
	warnings  []string
	kind      outcomeKind
	extra     []extra // further lines and JSON fields
}

// outcomeKind says how a p-value is interpreted.
type outcomeKind uint8

const (
	difference  outcomeKind = iota // a small p-value shows a difference
	equivalence                    // a small p-value shows equivalence
	interval                       // there is no p-value
)

// extra is an additional result of one test.
type extra struct {
	name  string
	value any
	text  string // line for people; may be empty
}

func ofResult(r stat.Result, effect stat.Effect) outcome {
	return outcome{statistic: r.Statistic, p: r.P, n: r.N, method: r.Method.String(), effect: effect,
		warnings: r.Warnings.Texts()}
}

func ofEquivalence(r stat.TOSTResult) outcome {
	o := ofResult(r.Result, r.Effect)
	o.kind = equivalence
	return o
}

func ofBootstrap(r stat.BootstrapResult, name string) outcome {
	return outcome{
		statistic: r.Estimate, p: math.NaN(), n: r.N, method: r.Kind.String(), effect: r.Effect(name),
		warnings: r.Warnings.Texts(), kind: interval,
		extra: []extra{{name: "se", value: number(r.SE)}, {name: "resamples", value: r.Resamples},
			{name: "units", value: r.Units}},
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

// writeOutcomes writes one object, or several under "comparisons".
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
	o := c.outcome
	parts := []string{}
	if o.kind != interval {
		p := "p " + probability(o.p)
		if math.IsNaN(o.p) {
			p = "p is not defined"
		}
		parts = append(parts, p)
	}
	if o.holm != nil && !math.IsNaN(*o.holm) {
		parts = append(parts, "Holm "+strings.TrimPrefix(probability(*o.holm), "= "))
	}
	if strings.HasPrefix(o.test, "ks") {
		parts = append(parts, "D "+decimal(o.statistic, 2))
	} else if effect := effectText(o.effect); effect != "" {
		parts = append(parts, effect)
	}
	parts = append(parts, fmt.Sprintf("n = %d", o.n))
	line := c.claim(flags) + "; " + strings.Join(parts, ", ") + fmt.Sprintf(" (%s, %s)", o.test, o.method)
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

// claim returns the conclusion that the p-value supports at the level .05. With several comparisons it uses the
// adjusted p-value.
func (c comparison) claim(flags statFlags) string {
	p := c.outcome.p
	if c.outcome.holm != nil {
		p = *c.outcome.holm
	}
	shown := p < .05
	x := c.names[0]
	switch {
	case c.outcome.kind == interval:
		return strings.Join(c.names, " minus ")
	case c.outcome.kind == equivalence && shown:
		return fmt.Sprintf("%s and %s are equivalent within ±%g", x, c.names[1], flags.margin)
	case c.outcome.kind == equivalence:
		return fmt.Sprintf("%s and %s were not shown to be equivalent within ±%g", x, c.names[1], flags.margin)
	case len(c.names) > 2:
		if shown {
			return strings.Join(c.names, ", ") + " differ"
		}
		return "no difference among " + strings.Join(c.names, ", ") + " was shown"
	}
	other := flags.null(c.outcome.test)
	if len(c.names) > 1 {
		other = c.names[1]
	}
	switch effect := c.outcome.effect.Value; {
	case !shown:
		return fmt.Sprintf("no difference between %s and %s was shown", x, other)
	case c.outcome.test == "fisher":
		return fmt.Sprintf("%s and %s are associated", x, other)
	case strings.HasPrefix(c.outcome.test, "ks") || effect == 0 || math.IsNaN(effect):
		return fmt.Sprintf("%s differs from %s", x, other)
	case effect < 0:
		return fmt.Sprintf("%s is lower than %s", x, other)
	}
	return fmt.Sprintf("%s is higher than %s", x, other)
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

// probability formats a p-value as papers do: "= .003", "< .001".
func probability(p float64) string {
	switch {
	case p < .001:
		return "< .001"
	case p > .999:
		return "> .999"
	}
	return "= " + decimal(p, 3)
}

// effectText formats an effect and its interval with at least two decimals, and more for a narrow interval:
// "rank-biserial -.61 [-.78, -.35]".
func effectText(e stat.Effect) string {
	if math.IsNaN(e.Value) {
		return ""
	}
	if math.IsNaN(e.Lo) || math.IsNaN(e.Hi) {
		return e.Name + " " + decimal(e.Value, 2)
	}
	places := 2
	if width := e.Hi - e.Lo; width > 0 && !math.IsInf(width, 0) {
		places = min(max(2, 1+int(math.Ceil(-math.Log10(width)))), 9)
	}
	return fmt.Sprintf("%s %s [%s, %s]", e.Name, decimal(e.Value, places), decimal(e.Lo, places), decimal(e.Hi, places))
}

// decimal formats a number with the given decimals and no zero before the point. Large and tiny numbers get four
// significant digits.
func decimal(v float64, places int) string {
	if a := math.Abs(v); a >= 1e5 || a > 0 && a < .5*math.Pow10(-places) {
		return fmt.Sprintf("%.4g", v)
	}
	text := fmt.Sprintf("%.*f", places, v)
	if strings.HasPrefix(text, "0.") || strings.HasPrefix(text, "-0.") {
		text = strings.Replace(text, "0.", ".", 1)
	}
	return text
}
