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

// shieldSignals catches the signals that would end the guard before its work is done.
func shieldSignals() <-chan os.Signal {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	return signals
}

// ownGroup starts the command in its own process group. A terminal's Ctrl-C does not reach the group, and it can be
// killed as a whole.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(group int) { syscall.Kill(-group, syscall.SIGKILL) }

func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// processGone returns a function that reports whether a process has ended. If that process is our parent, the function
// notices the end at once, even before the process is reaped, because we then get a new parent.
func processGone(parent int) func() bool {
	if os.Getppid() == parent {
		return func() bool { return os.Getppid() != parent }
	}
	return func() bool { return syscall.Kill(parent, 0) == syscall.ESRCH }
}

// checkPipes returns an error if a folder cannot hold the named pipes through which cells show things.
func checkPipes(folder string) error {
	path := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return fmt.Errorf("make a named pipe: %w", err)
	}
	return os.Remove(path)
}

// fileOwner returns the user who owns a file.
func fileOwner(path string) int {
	if info, err := os.Stat(path); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Uid)
		}
	}
	return os.Getuid()
}

// trustUsers returns a function that reports whether a connection is accepted. On the loopback device only this user,
// the owner of the connection file and root are accepted, because a kernel's messages are signed but not secret. If the
// system does not reveal the user, the key alone decides.
func trustUsers(connectionFile string) func(net.Conn) bool {
	owner := fileOwner(connectionFile)
	return func(conn net.Conn) bool {
		uid, known := connectionOwner(conn)
		return !known || uid == 0 || uid == os.Getuid() || uid == owner
	}
}
