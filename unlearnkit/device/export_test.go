//go:build cgo && linux && amd64 && !noxla

package device

import (
	"testing"
	"time"
)

// LimitProbes sets for a test how long a plugin may take to be loaded.
func LimitProbes(t *testing.T, limit time.Duration) {
	before := probeLimit
	probeLimit = limit
	t.Cleanup(func() { probeLimit = before })
}
