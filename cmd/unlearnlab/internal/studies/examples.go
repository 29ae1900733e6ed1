package studies

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// Examples returns example command lines for a verb: own, then those that the studies declare.
func Examples(verb string, own ...string) string {
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
