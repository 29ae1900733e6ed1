package studies

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// Examples returns example command lines of a verb: its own, and the studies'.
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
