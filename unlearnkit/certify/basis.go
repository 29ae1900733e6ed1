package certify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Repetitions are what a study repeats, in words: world and worlds.
type Repetitions struct{ Singular, Plural string }

// Count says how many there are: "1 world", "5 worlds".
func (r Repetitions) Count(n int) string {
	if n == 1 {
		return "1 " + r.Singular
	}
	return fmt.Sprintf("%d %s", n, r.Plural)
}

// Unit is something that others could stand in the place of: a test says how far its result depends on which were
// taken.
type Unit struct {
	Name   string `json:"name"`
	N      int    `json:"n"`
	Layout string `json:"layout"` // repeated, nested or crossed
}

// How units lie to repetitions, in a word.
const (
	repeated = "repeated"
	nested   = "nested"
	crossed  = "crossed"
)

// Basis is what a test or an interval rests on.
type Basis struct {
	Test  string  `json:"test"`
	Units []Unit  `json:"units,omitempty"`
	DF    float64 `json:"df,omitempty"`    // degrees of freedom; 0 where the test has none
	Tests int     `json:"tests,omitempty"` // in the correction
}

// studentTest names the test of a linearised quantity.
const studentTest = "Student's t"

// leastP is the least p-value of Student's test here. Smaller ones are about tails of which nothing is known.
const leastP = 1e-12

// String says it in a line: "Student's t, 5 worlds (repeated), 79 noises (crossed), 6.3 degrees of freedom".
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

// Describe says what many tests rest on: "Tests are Student's t with 4 to 78 degrees of freedom; units: 5 worlds
// (repeated), 79 noises (crossed); Holm's correction is over 24 tests". It is empty of none.
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
	return text
}

// otherTests names the tests without degrees of freedom, each once.
func otherTests(all []Basis) (names []string) {
	for _, b := range all {
		if b.Test != "" && b.Test != studentTest && b.DF == 0 && !slices.Contains(names, b.Test) {
			names = append(names, b.Test)
		}
	}
	return names
}

// unitsOf names the units that tests rest on, each once with the most of them.
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

// printedP is the least p-value that is printed. How often few repetitions mislead by more than that depends on tails
// of which they show nothing.
const printedP = .001

// PText writes a p-value with two significant digits: "< .001" where it is less than that, "–" where there is none.
func PText(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < printedP:
		return "< .001"
	}
	return fmt.Sprintf("%.2g", p)
}

// AgreeText writes how many repetitions agree: "5 of 5"; nothing where nothing is repeated.
func AgreeText(agree, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", agree, of)
}
