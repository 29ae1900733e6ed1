//go:build unix

package relay

import (
	"os"
	"syscall"
)

// open makes the two pipes, of which both ends are open at once, so that nobody waits for the other to open his.
func (r *Relay) open(shown, heard string) (err error) {
	for _, path := range []string{shown, heard} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			return &os.PathError{Op: "make the pipe", Path: path, Err: err}
		}
	}
	if r.shown, err = os.OpenFile(shown, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return err
	}
	if r.hold, err = os.OpenFile(shown, os.O_WRONLY, 0); err != nil {
		return err
	}
	r.heard, err = os.OpenFile(heard, os.O_RDWR, 0)
	return err
}
