//go:build unix

package launcher

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

// unsupported returns why this system cannot run the kernel, or nil if it can.
func unsupported() *failure { return nil }

// shieldSignals catches signals that would end the guard before it has cleaned up.
func shieldSignals() <-chan os.Signal {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	return signals
}

// ownGroup makes the command start in its own process group, which a terminal's Ctrl-C does not reach, and which can be
// killed as a whole.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(group int) { syscall.Kill(-group, syscall.SIGKILL) }

func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// processGone returns a function that reports whether a process has ended. If it is our parent, the function notices
// that at once, even before the process is reaped, because we then get a new parent.
func processGone(parent int) func() bool {
	if os.Getppid() == parent {
		return func() bool { return os.Getppid() != parent }
	}
	return func() bool { return syscall.Kill(parent, 0) == syscall.ESRCH }
}

// checkPipes returns an error if named pipes cannot be created in a folder. Cells show things through such pipes.
func checkPipes(folder string) error {
	path := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return fmt.Errorf("make a named pipe: %w", err)
	}
	return os.Remove(path)
}

// fileOwner returns the user ID of a file's owner, or this user's ID if it is unknown.
func fileOwner(path string) int {
	if info, err := os.Stat(path); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Uid)
		}
	}
	return os.Getuid()
}

// trustUsers returns a function that reports whether a connection is accepted. On the loopback device, only this user,
// the owner of the connection file and root are accepted, because a kernel's messages are signed but not secret. If the
// user is unknown, the key alone decides.
func trustUsers(connectionFile string) func(net.Conn) bool {
	owner := fileOwner(connectionFile)
	return func(conn net.Conn) bool {
		uid, known := connectionOwner(conn)
		return !known || uid == 0 || uid == os.Getuid() || uid == owner
	}
}
