package paritytest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Slow skips the test unless $UNLEARNLAB_SLOW is set. costs describes what the test needs.
func Slow(t testing.TB, costs string) {
	t.Helper()
	if os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skipf("set UNLEARNLAB_SLOW=1 to run it: %s", costs)
	}
}

// Real returns the path of a real model's folder or file in $UNLEARNLAB_REFERENCE. If it is missing, or in a fast test
// set, Real skips the test; script is the script that makes the model.
func Real(t testing.TB, name, script string) string {
	t.Helper()
	Slow(t, "a real model")
	path := filepath.Join(os.Getenv("UNLEARNLAB_REFERENCE"), name)
	if _, err := os.Stat(path); err != nil || os.Getenv("UNLEARNLAB_REFERENCE") == "" {
		t.Skipf("set UNLEARNLAB_REFERENCE to a folder with %s; %s makes it", name, script)
	}
	return path
}

// PeakMemory returns the process's peak memory so far in bytes, or 0 if the system does not report it.
func PeakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}
