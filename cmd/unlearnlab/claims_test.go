package main

import (
	"strings"
	"testing"
)

// Each paper has its own table of claims, which names its repetitions.
func TestClaims_SeveralPapers(t *testing.T) {
	printed := cmd.Succeed(t, "claims")
	for _, want := range []string{"(smoke, 1 world)", "(smoke, 1 training seed)"} {
		if !strings.Contains(printed, want) {
			t.Errorf("there is no %q in\n%.2000s", want, printed)
		}
	}
}
