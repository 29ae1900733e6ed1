// Package integration marks tests that build programs, start kernels, check other systems or write all pages of what
// ships. They take minutes from empty caches, so "make integration" and .ci/run run them, and "make test" does not.
package integration

import (
	"os"
	"testing"
)

// Test skips t unless UNLEARNLAB_INTEGRATION is set. what says what t builds or starts.
func Test(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("UNLEARNLAB_INTEGRATION") == "" {
		t.Skipf("make integration runs it: %s", what)
	}
}
