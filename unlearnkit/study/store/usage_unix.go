//go:build unix

package store

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// usage is the CPU time that the process has used and the most memory that it has had.
func usage() (cpu time.Duration, peak int64) {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0, 0
	}
	peak = int64(used.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // all others count in KiB
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), peak
}
