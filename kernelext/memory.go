package kernelext

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/janpfeifer/gonb/gonbui"
)

// quietMemory is the memory use at which a cell's garbage collector starts. Most cells run for a second and need most
// of their data until the end; collecting while a cell read a study's results took a third of its time.
const quietMemory = 192 << 20

func init() {
	if gonbui.IsNotebook && os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		collectLater(quietMemory)
	}
}

// collectLater turns the garbage collector off until the memory in use reaches limit.
func collectLater(limit int64) {
	usual := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
	// The first collection finds this object unreachable and runs the finalizer, which restores the usual settings.
	runtime.SetFinalizer(&struct{ first *int }{new(int)}, func(any) {
		debug.SetGCPercent(usual)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}
