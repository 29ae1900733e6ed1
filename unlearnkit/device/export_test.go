//go:build cgo && linux && amd64 && !noxla

package device

import (
	"slices"
	"testing"
	"time"
)

// Pinned reports whether the file is one of the plugins that Install knows.
func Pinned(t *testing.T, path string) bool {
	sum, err := hash(path)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(plugins, func(p pinnedPlugin) bool { return p.sha256 == sum })
}

// LimitProbes sets for a test how long a plugin may take to be loaded.
func LimitProbes(t *testing.T, limit time.Duration) {
	before := probeLimit
	probeLimit = limit
	t.Cleanup(func() { probeLimit = before })
}
