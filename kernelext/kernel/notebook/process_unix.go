//go:build unix

package notebook

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the kernel start in its own process group. Ctrl-C then reaches only this program, which interrupts the
// cell by a message, and the whole group can be killed.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
