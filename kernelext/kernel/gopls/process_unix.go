//go:build unix

package gopls

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// ownSession protects the shared server from signals to the terminal or process group of a kernel.
func ownSession(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// lock waits until no other process is starting a server, and locks the start.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}

// checkPrivate returns an error unless folder is a folder that only this user owns and can enter.
func checkPrivate(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a folder of this user alone; remove it", folder)
	}
	return nil
}
