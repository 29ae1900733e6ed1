package kernelext

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestCollectLater(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(math.MaxInt64)
	})
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	collectLater(int64(m.Sys) + 64<<20)
	first := m.NumGC
	var kept [][]byte
	for range 16 {
		kept = append(kept, make([]byte, 1<<20))
	}
	if runtime.ReadMemStats(&m); m.NumGC != first {
		t.Errorf("%d collections for %d MB", m.NumGC-first, len(kept))
	}
	for range 256 {
		kept = append(kept, make([]byte, 1<<20))
	}
	end := time.Now().Add(10 * time.Second)
	for ; debug.SetMemoryLimit(-1) != math.MaxInt64; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the limit stays")
		}
	}
	if runtime.ReadMemStats(&m); m.NumGC == first {
		t.Error("nothing was collected")
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("the collector works at %d %%", percent)
	}
	runtime.KeepAlive(kept)
}
