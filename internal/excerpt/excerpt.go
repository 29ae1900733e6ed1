// Package excerpt finds single numbers in printed tables, for sentences that quote them.
package excerpt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Pick returns the index of wanted in names. If no name equals it, Pick returns the index of the only name that has
// wanted between slashes, or else of the only name that contains wanted.
func Pick(kind, wanted string, names []string) (int, error) {
	if at := slices.Index(names, wanted); at >= 0 {
		return at, nil
	}
	var having []string
	for _, start := range []string{"/" + wanted + "/", wanted} {
		has := func(name string) bool { return strings.Contains("/"+name+"/", start) }
		having = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !has(name) })
		if len(having) == 1 {
			return slices.IndexFunc(names, has), nil
		}
	}
	if len(having) == 0 {
		return 0, fmt.Errorf("no %s has %q in its name: write a part of one of %q", kind, wanted, names)
	}
	return 0, fmt.Errorf("%d %ss have %q in their names: write more of one of %q", len(having), kind, wanted, having)
}

// Number matches a printed number.
var Number = regexp.MustCompile(`[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?`)

// Show returns the number in a cell as printed, or a part of the cell as the options select:
//
//	low, high         an end of the cell's interval
//	interval          the number and its interval
//	p                 "p = 0.015" or "p < .001"
//	text              the whole cell
//	percent, million  the number in this unit
//	abs               the number without its sign
//	0, 1, 2 …         the number with so many decimals
//
// Options that change the unit or the number of decimals also round the number.
func Show(text string, options ...string) (string, error) {
	part, digits, scale, unit, abs := "number", -1, 1., "", false
	for _, option := range options {
		n, err := strconv.Atoi(option)
		switch {
		case err == nil:
			digits = n
		case option == "percent":
			digits, scale, unit = max(digits, 0), 100, " %"
		case option == "million":
			digits, scale = max(digits, 0), 1e-6
		case option == "abs":
			abs = true
		case slices.Contains([]string{"low", "high", "interval", "p", "text"}, option):
			part = option
		default:
			return "", fmt.Errorf("no option is %q; see excerpt.Show", option)
		}
	}
	if part == "text" {
		return text, nil
	}
	shown := Number.FindAllString(text, -1)
	last := map[string]int{"low": 1, "high": 2, "interval": 2}[part]
	if len(shown) <= last {
		return "", fmt.Errorf("the cell %q has no %s", text, part)
	}
	for i, printed := range shown {
		if abs {
			printed = strings.TrimPrefix(printed, "-")
		}
		shown[i] = strings.TrimPrefix(printed, "+")
		if value, err := strconv.ParseFloat(printed, 64); err == nil && digits >= 0 {
			shown[i] = strconv.FormatFloat(value*scale, 'f', digits, 64)
		}
	}
	switch {
	case part == "p" && !strings.HasPrefix(text, "<"):
		return "p = " + shown[0], nil
	case part == "p":
		return "p < " + shown[0], nil
	case part == "interval":
		return fmt.Sprintf("%s [%s, %s]%s", shown[0], shown[1], shown[2], unit), nil
	}
	return shown[last] + unit, nil
}
