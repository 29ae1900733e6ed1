//go:build unix

package store

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// usage returns the CPU time and the peak memory of the process.
func usage() (cpu time.Duration, peak int64) {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0, 0
	}
	peak = int64(used.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // all other systems count in KiB
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), peak
}
