//go:build goexperiment.simd && amd64 && unix

package main

import (
	"os"
	"strings"
	"syscall"
)

const noPreemption = "asyncpreemptoff=1"

// withoutPreemption starts the program again, in the same process, with a runtime that does not interrupt goroutines in the middle of a loop.
//
// In this build each such interruption leaves the vector registers in a state in which math.Exp and its kin take a hundred times as long (see package vectorstate), and GoMLX's
// loops on the Go backend do not clear it: measured, a step of a transformer costs 1.6 times the processor time, and on a busy machine several times the wall time. The runtime reads
// the setting when it starts and from the environment alone. Cells that the kernel runs inherit it.
func withoutPreemption() {
	setting := os.Getenv("GODEBUG")
	if strings.Contains(setting, "asyncpreemptoff=") {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	if setting != "" {
		setting += ","
	}
	if os.Setenv("GODEBUG", setting+noPreemption) == nil {
		_ = syscall.Exec(self, os.Args, os.Environ()) // where it fails the program is slower, no more
	}
}
