//go:build unix

package gopls

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// ownSession keeps signals of a kernel's terminal and group away from the server of all kernels.
func ownSession(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// lock waits until nobody else starts a server.
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

// ownedAlone refuses a folder that another user has made or can enter.
func ownedAlone(folder string) error {
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
