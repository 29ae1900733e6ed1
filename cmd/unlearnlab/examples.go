package main

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// examples returns example command lines of a verb: its own, and the studies'.
func examples(verb string, own ...string) string {
	lines := own
	for _, s := range papers.All {
		for _, line := range s.Examples {
			if strings.HasPrefix(line, verb+" ") {
				lines = append(lines, line)
			}
		}
	}
	return "  unlearnlab " + strings.Join(lines, "\n  unlearnlab ")
}
