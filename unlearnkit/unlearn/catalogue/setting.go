package catalogue

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Setting is a hyper-parameter.
type Setting struct {
	Name    string
	Default float64
	Allowed Range  // allowed values; any finite number if zero
	About   string // description in one line
	Source  string // origin of the default
}

// Range defines the allowed values of a setting. The zero value allows every finite number.
type Range struct {
	Least, Most float64 // bounds, which are allowed
	Whole       bool
}

// Ranges that settings share.
var (
	Positive    = Range{Least: math.SmallestNonzeroFloat64, Most: math.MaxFloat64}
	NotNegative = Range{Most: math.MaxFloat64}
	Share       = Range{Most: math.Nextafter(1, 0)} // numbers from 0 to below 1
	Count       = Range{Least: 1, Most: 1 << 30, Whole: true}
	Switch      = Range{Most: 1, Whole: true} // 0 for off, 1 for on
)

// Allows reports whether a setting may have the value.
func (r Range) Allows(value float64) bool {
	if math.IsNaN(value) || math.IsInf(value, 0) || r.Whole && value != math.Trunc(value) {
		return false
	}
	return r == Range{} || value >= r.Least && value <= r.Most
}

// String completes the sentence "a value must be ...".
func (r Range) String() string {
	switch r {
	case Range{}:
		return "a finite number"
	case Positive:
		return "a finite number above 0"
	case NotNegative:
		return "a finite number, and at least 0"
	case Share:
		return "at least 0 and below 1"
	case Switch:
		return "0 or 1"
	case Count:
		return "a whole number and at least 1"
	}
	kind := "a number"
	if r.Whole {
		kind = "a whole number"
	}
	return fmt.Sprintf("%s from %g to %g", kind, r.Least, r.Most)
}

// Setting returns the setting with the name.
func (e Entry) Setting(name string) (Setting, error) {
	at := slices.IndexFunc(e.Settings, func(s Setting) bool { return s.Name == name })
	if at < 0 {
		return Setting{}, fmt.Errorf("the method %s has no setting %q%s", e.Name, name, e.settingNames())
	}
	return e.Settings[at], nil
}

func (e Entry) settingNames() string {
	if len(e.Settings) == 0 {
		return "; it has none"
	}
	names := make([]string, len(e.Settings))
	for i, s := range e.Settings {
		names[i] = s.Name
	}
	return "; it has " + strings.Join(names, ", ")
}

// Check returns an error if the method cannot be run with the given values.
func (e Entry) Check(values map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		setting, err := e.Setting(name)
		if err != nil {
			return err
		}
		if value := values[name]; !setting.Allowed.Allows(value) {
			return fmt.Errorf("method %s: the setting %q is %v: it must be %v", e.Name, name, value, setting.Allowed)
		}
	}
	return nil
}

// CheckBudgets returns an error if the method cannot be evaluated after these numbers of passes.
func (e Entry) CheckBudgets(budgets []int) error {
	if len(budgets) == 0 {
		return fmt.Errorf("method %s: no budget: give the numbers of passes after which the model is judged, such as "+
			"1 and 5", e.Name)
	}
	for i, budget := range budgets {
		switch {
		case budget < 1:
			return fmt.Errorf("method %s: a budget of %d passes: it must be at least 1", e.Name, budget)
		case i > 0 && budget <= budgets[i-1]:
			return fmt.Errorf("method %s: the budgets %v do not rise", e.Name, budgets)
		case e.Passes != nil && !slices.Contains(e.Passes, budget):
			return fmt.Errorf("method %s: a budget of %d passes, but it is judged after %v", e.Name, budget, e.Passes)
		}
	}
	return nil
}

func learningRate(value float64, source string) Setting {
	return Setting{"rate", value, Positive, "learning rate", source}
}
