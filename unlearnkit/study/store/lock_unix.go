//go:build unix

package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file if nobody else has.
func tryLock(file *os.File) (bool, error) {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case nil:
			return true, nil
		case unix.EWOULDBLOCK:
			return false, nil
		case unix.EINTR:
		default:
			return false, err
		}
	}
}
