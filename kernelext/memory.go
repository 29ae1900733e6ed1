package kernelext

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/janpfeifer/gonb/gonbui"
)

// A cell lives for a second and has most of what it needs until its end: collecting garbage while it reads the results
// of a study takes a third of that time. So the collector waits until a cell has this much memory, and then works as
// ever.
const quietMemory = 192 << 20

func init() {
	if gonbui.IsNotebook && os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		collectLater(quietMemory)
	}
}

// collectLater turns the collector off until the memory in use reaches a limit.
func collectLater(limit int64) {
	usual := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
	// The first collection finds that nobody uses this.
	runtime.SetFinalizer(&struct{ first *int }{new(int)}, func(any) {
		debug.SetGCPercent(usual)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}
