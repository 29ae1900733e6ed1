package certify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Repetitions names what a study repeats, for example world and worlds.
type Repetitions struct{ Singular, Plural string }

// Count formats a number of repetitions: "1 world", "5 worlds".
func (r Repetitions) Count(n int) string {
	if n == 1 {
		return "1 " + r.Singular
	}
	return fmt.Sprintf("%d %s", n, r.Plural)
}

// Unit is a kind of sampled unit, such as worlds or people, with the number of units. A test accounts for the choice of
// these units.
type Unit struct {
	Name   string `json:"name"`
	N      int    `json:"n"`
	Layout string `json:"layout"` // repeated, nested or crossed
}

// Layouts of units relative to repetitions.
const (
	repeated = "repeated"
	nested   = "nested"
	crossed  = "crossed"
)

// Basis describes the evidence for a test or an interval.
type Basis struct {
	Test  string  `json:"test"`
	Units []Unit  `json:"units,omitempty"`
	DF    float64 `json:"df,omitempty"`    // degrees of freedom; 0 if the test does not use any
	Tests int     `json:"tests,omitempty"` // number of tests in the correction
	// Once reports that the number depends on a model that was trained once, see [Once]. The interval then lacks that
	// model's variance between trainings.
	Once bool `json:"once,omitempty"`
}

// Repeats reports whether anything is repeated. If not, the number describes models that were trained once.
func (b Basis) Repeats() bool {
	return slices.ContainsFunc(b.Units, func(u Unit) bool { return u.Layout == repeated })
}

// studentTest names the test that is used for linearised quantities.
const studentTest = "Student's t"

// leastP is the smallest p-value that Student's test returns here. Smaller values would depend on unknown tails of the
// distribution.
const leastP = 1e-12

// String formats the basis on one line: "Student's t, 5 worlds (repeated), 79 noises (crossed), 6.3 degrees of
// freedom".
func (b Basis) String() string {
	parts := []string{b.Test}
	for _, u := range b.Units {
		parts = append(parts, fmt.Sprintf("%d %s (%s)", u.N, u.Name, u.Layout))
	}
	if b.DF > 0 {
		parts = append(parts, fmt.Sprintf("%.3g degrees of freedom", b.DF))
	}
	if b.Tests > 0 {
		parts = append(parts, fmt.Sprintf("one of %d tests", b.Tests))
	}
	return strings.Join(parts, ", ")
}

// Describe summarizes the bases of many tests: "Tests are Student's t with 4 to 78 degrees of freedom; units: 5 worlds
// (repeated), 79 noises (crossed); Holm's correction is over 24 tests". It returns "" if no test has degrees of
// freedom.
func Describe(all []Basis) string {
	least, most, tests := math.Inf(1), math.Inf(-1), 0
	for _, b := range all {
		if b.DF > 0 {
			least, most, tests = min(least, b.DF), max(most, b.DF), max(tests, b.Tests)
		}
	}
	if most < least {
		return ""
	}
	freedom, high := fmt.Sprintf("%.3g", least), fmt.Sprintf("%.3g", most)
	if freedom != high {
		freedom += " to " + high
	}
	text := fmt.Sprintf("Tests are %s with %s degrees of freedom; units: %s", studentTest, freedom, unitsOf(all))
	if tests > 0 {
		text += fmt.Sprintf("; Holm's correction is over %d tests", tests)
	}
	for _, test := range otherTests(all) {
		text += "; without an interval: " + test
	}
	if slices.ContainsFunc(all, func(b Basis) bool { return b.Once }) {
		text += "; a model that was trained once, such as a single gold model, shows no variance between trainings: " +
			"a number that depends on it is about that training"
	}
	return text
}

// otherTests returns the names of the tests without degrees of freedom, each once.
func otherTests(all []Basis) (names []string) {
	for _, b := range all {
		if b.Test != "" && b.Test != studentTest && b.DF == 0 && !slices.Contains(names, b.Test) {
			names = append(names, b.Test)
		}
	}
	return names
}

// unitsOf lists the kinds of units of all tests, each once with its largest count.
func unitsOf(all []Basis) string {
	var units []Unit
	for _, b := range all {
		for _, u := range b.Units {
			at := slices.IndexFunc(units, func(other Unit) bool { return other.Name == u.Name })
			if at < 0 {
				units = append(units, u)
			} else {
				units[at].N = max(units[at].N, u.N)
			}
		}
	}
	var parts []string
	for _, u := range units {
		parts = append(parts, fmt.Sprintf("%d %s (%s)", u.N, u.Name, u.Layout))
	}
	return strings.Join(parts, ", ")
}

// printedP is the smallest p-value that is printed. Smaller p-values depend on tails of the distribution that a few
// repetitions cannot show.
const printedP = .001

// PText formats a p-value with two significant digits, as "< .001" if it is smaller, and as "–" if it is NaN.
func PText(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < printedP:
		return "< .001"
	}
	return fmt.Sprintf("%.2g", p)
}

// PEquation formats a p-value like [PText], after "p": "p = 0.015", "p < .001".
func PEquation(p float64) string {
	if text := PText(p); text[0] == '<' {
		return "p " + text
	}
	return "p = " + PText(p)
}

// AgreeText formats the number of repetitions that agree: "5 of 5". It returns "" if there are no repetitions.
func AgreeText(agree, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", agree, of)
}
