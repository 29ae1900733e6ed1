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

// supported is why this system cannot run the kernel; nil where it can.
func supported() *failure { return nil }

// shieldSignals takes the signals that would end the guard before its work is done.
func shieldSignals() <-chan os.Signal {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	return signals
}

// ownGroup keeps a terminal's Ctrl-C away and lets the whole group be killed.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(group int) { syscall.Kill(-group, syscall.SIGKILL) }

func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// parentDied tells when a process that should outlive us is gone: at once if it started us, for then another becomes
// our parent, even while nobody has asked how it ended.
func parentDied(parent int) func() bool {
	if os.Getppid() == parent {
		return func() bool { return os.Getppid() != parent }
	}
	return func() bool { return syscall.Kill(parent, 0) == syscall.ESRCH }
}

// holdsPipes says why a folder cannot hold the named pipes through which cells show things.
func holdsPipes(folder string) error {
	path := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return fmt.Errorf("make a named pipe: %w", err)
	}
	return os.Remove(path)
}

// fileOwner is the user whose file it is.
func fileOwner(path string) int {
	if info, err := os.Stat(path); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Uid)
		}
	}
	return os.Getuid()
}

// trusted says who may connect: on the loopback device only ourselves, the owner of the connection file, and root. What
// a kernel publishes is signed but not secret. Where the system does not say whose a connection is, the key decides
// alone.
func trusted(connectionFile string) func(net.Conn) bool {
	owner := fileOwner(connectionFile)
	return func(conn net.Conn) bool {
		uid, known := connectionOwner(conn)
		return !known || uid == 0 || uid == os.Getuid() || uid == owner
	}
}
