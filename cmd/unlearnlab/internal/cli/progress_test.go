package cli

import (
	"strings"
	"testing"
)

// A line wider than the terminal would wrap, and the next line would replace only its last part.
func TestCut_Terminal(t *testing.T) {
	line := "12 of 90 runs, 3m left: " + strings.Repeat("world 1: Negative Gradient 50 %; ", 5)
	if got := []rune(cut(line, 80)); len(got) != 79 || got[78] != '…' || !strings.HasPrefix(line, string(got[:78])) {
		t.Errorf("got %q, want length 79, got[78] '…', %q at the beginning of line",
			string(got), string(got[:78]))
	}
	for _, width := range []int{0, 1, len(line) + 1} {
		if got := cut(line, width); got != line {
			t.Errorf("at %d: %q", width, got)
		}
	}
}
