package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

func TestStudies_Examples(t *testing.T) {
	for _, s := range papers.All {
		if len(s.Examples) == 0 {
			t.Errorf("%s gives none", s.Paper)
		}
		for _, line := range s.Examples {
			words := strings.Fields(line)
			code, stdout, stderr := cmd.Run(append(words, "--help")...)
			if code != cli.ExitDone || !slices.Contains(words[1:], s.Paper) ||
				!strings.Contains(stdout, "  unlearnlab "+line+"\n") {
				t.Errorf("%s: exit %d, and not in its verb's help\n%s", line, code, stderr)
			}
		}
	}
}
