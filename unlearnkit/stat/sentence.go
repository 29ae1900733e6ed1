package stat

import (
	"fmt"
	"math"
	"strings"
)

// Sentence returns a sentence with the conclusion at level .05 and the numbers: "ours is lower than gold; p = .003,
// Holm .012, rank-biserial -.61, n = 200 (wilcoxon, exact)". names are the names of the samples. For a single sample,
// the second name describes the null hypothesis. If adjusted is not NaN, it is the p-value after adjustment for several
// tests, and decides instead of P.
func (r Result) Sentence(adjusted float64, names ...string) string {
	none := 0.0
	if r.Effect.Name == "odds ratio" {
		none = 1
	}
	return r.sentence(none, adjusted, names)
}

// String returns the sentence with default names, and the warnings on a second line.
func (r Result) String() string { return r.noted(r.Sentence(math.NaN(), r.names()...)) }

// Sentence compares the proportion with its value under the null hypothesis, see [Result.Sentence].
func (r BinomialResult) Sentence(adjusted float64, names ...string) string {
	return r.sentence(r.Under, adjusted, names)
}

// String returns the sentence about a sample x, and the warnings on a second line.
func (r BinomialResult) String() string {
	return r.noted(r.Sentence(math.NaN(), "x", fmt.Sprintf("probability %g", r.Under)))
}

// Sentence states whether two samples are shown to be equivalent, see [Result.Sentence].
func (r TOSTResult) Sentence(adjusted float64, names ...string) string {
	within := fmt.Sprintf("within ±%g", r.High)
	if r.Low != -r.High {
		within = fmt.Sprintf("within [%g, %g]", r.Low, r.High)
	}
	if math.IsNaN(r.P) {
		return strings.Join(names, " and ") + r.Warnings.untestable() + r.numbers(adjusted)
	}
	claim := "%s and %s were not shown to be equivalent "
	if r.deciding(adjusted) < claimed {
		claim = "%s and %s are equivalent "
	}
	return fmt.Sprintf(claim, names[0], names[1]) + within + r.numbers(adjusted)
}

// String returns the sentence about samples x and y, and the warnings on a second line.
func (r TOSTResult) String() string { return r.noted(r.Sentence(math.NaN(), r.names()...)) }

// String returns the sentence, a line with the average ranks of the columns, and the warnings.
func (r FriedmanResult) String() string {
	names := make([]string, r.Treatments)
	for i := range names {
		names[i] = fmt.Sprintf("column %d", i+1)
	}
	return r.noted(r.Sentence(math.NaN(), names...) + "\n" + r.ranks(names))
}

// ranks lists the average ranks, as in "average ranks: ours 1.59 theirs 2.14".
func (r FriedmanResult) ranks(names []string) string {
	text := "average ranks:"
	for i, name := range names[:len(r.AverageRanks)] {
		text += fmt.Sprintf(" %s %.3g", name, r.AverageRanks[i])
	}
	return text
}

// RanksText lists the average ranks and states which difference is significant.
func (r NemenyiResult) RanksText(names []string) string {
	return fmt.Sprintf("%s; averages that differ by more than %.3g are significant (Nemenyi)", r.Friedman.ranks(names),
		r.CriticalDifference)
}

// String returns the sentence of Friedman's test, a line with the average ranks and the significant difference, and the
// warnings.
func (r NemenyiResult) String() string {
	sentence, _, _ := strings.Cut(r.Friedman.String(), "\n")
	names := make([]string, r.Friedman.Treatments)
	for i := range names {
		names[i] = fmt.Sprintf("column %d", i+1)
	}
	return r.Friedman.noted(sentence + "\n" + r.RanksText(names))
}

// Sentence returns the estimate with its interval, as in "ours minus gold; mean difference -.02 [-.025, -.015], n = 200
// (bootstrap, bca)".
func (r BootstrapResult) Sentence(effect string, names ...string) string {
	what, found := strings.Join(names, " minus "), r.Effect(effect).text()
	if found == "" || math.IsInf(r.Estimate, 0) {
		return fmt.Sprintf("%s%s; n = %d (bootstrap, %s)", what, r.Warnings.untestable(), r.N, r.Kind)
	}
	return fmt.Sprintf("%s; %s, n = %d (bootstrap, %s)", what, found, r.N, r.Kind)
}

// String returns the estimate with its interval, and the warnings on a second line.
func (r BootstrapResult) String() string {
	return Result{Warnings: r.Warnings}.noted(fmt.Sprintf("%s, n = %d (bootstrap, %s)", r.Effect("estimate").text(), r.N, r.Kind))
}

// text formats the effect and its interval, as in "rank-biserial -.61 [-.78, -.35]". It uses at least two decimals, and
// more for a narrow interval. It returns "" if the effect is undefined.
func (e Effect) text() string {
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

// claimed is the significance level at which sentences state a difference.
const claimed = .05

// sentence works like [Result.Sentence]. none is the effect size under the null hypothesis.
func (r Result) sentence(none, adjusted float64, names []string) string {
	return r.claim(none, r.deciding(adjusted) < claimed, names) + r.numbers(adjusted)
}

// deciding returns the p-value that decides: the adjusted one, or P if adjusted is NaN.
func (r Result) deciding(adjusted float64) float64 {
	if math.IsNaN(adjusted) {
		return r.P
	}
	return adjusted
}

// untestable returns why a test or an interval is not defined, as in " cannot be tested: too few observations".
func (w Warning) untestable() string {
	for _, text := range w.Texts() {
		return " cannot be tested: " + text
	}
	return " cannot be tested"
}

// claim returns the conclusion of a sentence. shown means that the test is significant.
func (r Result) claim(none float64, shown bool, names []string) string {
	if math.IsNaN(r.P) {
		return strings.Join(names, " and ") + r.Warnings.untestable()
	}
	if len(names) > 2 || r.Test == "friedman" {
		if shown {
			return strings.Join(names, ", ") + " differ"
		}
		return "no difference among " + strings.Join(names, ", ") + " was shown"
	}
	x, y := names[0], names[1]
	associated := r.Test == "fisher" || r.Test == "kendall"
	switch effect := r.Effect.Value; {
	case !shown && r.Test == "kendall":
		return fmt.Sprintf("no association of %s and %s was shown", x, y)
	case !shown:
		return fmt.Sprintf("no difference between %s and %s was shown", x, y)
	case associated:
		return fmt.Sprintf("%s and %s are associated", x, y)
	case r.distribution() || effect == none || math.IsNaN(effect):
		return fmt.Sprintf("%s differs from %s", x, y)
	case effect < none:
		return fmt.Sprintf("%s is lower than %s", x, y)
	}
	return fmt.Sprintf("%s is higher than %s", x, y)
}

// distribution reports whether the test compares distribution functions.
func (r Result) distribution() bool { return r.Test == "ks" || r.Test == "ks1" }

// numbers returns the numbers of a sentence, as in "; p = .003, rank-biserial -.61, n = 200 (wilcoxon, exact)".
func (r Result) numbers(adjusted float64) string {
	var parts []string
	if !math.IsNaN(r.P) {
		parts = append(parts, "p "+Probability(r.P))
	}
	if !math.IsNaN(adjusted) {
		parts = append(parts, "Holm "+strings.TrimPrefix(Probability(adjusted), "= "))
	}
	if r.distribution() && !math.IsNaN(r.Statistic) {
		parts = append(parts, "D "+decimal(r.Statistic, 2))
	} else if effect := r.Effect.text(); effect != "" {
		parts = append(parts, effect)
	}
	parts = append(parts, fmt.Sprintf("n = %d", r.N))
	return fmt.Sprintf("; %s (%s, %s)", strings.Join(parts, ", "), r.Test, r.Method)
}

// noted appends the warnings to a text, on a new line.
func (r Result) noted(text string) string {
	if r.Warnings == 0 {
		return text
	}
	return text + "\nnote: " + r.Warnings.String()
}

// names returns default names for the samples of a test.
func (r Result) names() []string {
	switch r.Test {
	case "ttest-1":
		return []string{"x", "mu"}
	case "ks1":
		return []string{"x", "the distribution"}
	}
	return []string{"x", "y"}
}

// Probability formats a p-value after the letter p as papers do, such as "= .003" or "< .001".
func Probability(p float64) string {
	switch {
	case p < .001:
		return "< .001"
	case p > .999:
		return "> .999"
	}
	return "= " + decimal(p, 3)
}

// decimal formats a number with the given number of decimals and without a zero before the point. Large and tiny
// numbers get four significant digits.
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
