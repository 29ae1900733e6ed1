//go:build unix

package notebook

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the kernel in a process group of its own: Ctrl-C then reaches this program alone, which interrupts the
// cell by message, and all that the kernel started can be ended with it.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
