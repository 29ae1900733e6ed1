package store

import (
	"time"

	"golang.org/x/sys/windows"
)

// usage is the CPU time that the process has used; its memory is not known here.
func usage() (cpu time.Duration, peak int64) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(ticks(kernel)+ticks(user)) * 100, 0
}
