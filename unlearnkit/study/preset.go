package study

import (
	"fmt"
	"strings"
)

// Named finds a preset of a paper's study by its name. For an unknown name, the error lists all names, followed by the
// text more.
func Named[P any](paper, name string, presets []P, nameOf func(p P) string, more string) (found P, err error) {
	var names []string
	for _, p := range presets {
		if nameOf(p) == name {
			return p, nil
		}
		names = append(names, nameOf(p))
	}
	return found, fmt.Errorf("there is no preset %q of %s; it has %s%s", name, paper, strings.Join(names, ", "), more)
}
