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
	// Floor is the least p-value that the procedure gives: one as small says "at most".
	Floor float64 `json:"floor,omitempty"`
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
	return text
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

// PText writes a corrected p-value with some significant digits: "≤ 6.2e-11" where it is the least that the procedure
// gives, "–" where there is none.
func PText(p float64, b Basis, digits int) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case b.Floor > 0 && p <= b.Floor*float64(max(1, b.Tests)):
		return fmt.Sprintf("≤ %.*g", digits, p)
	}
	return fmt.Sprintf("%.*g", digits, p)
}
