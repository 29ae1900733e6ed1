//go:build unix

package displaypipe

import (
	"os"
	"syscall"
)

// open creates the two pipes and opens both ends of each, so that neither side waits for the other to open.
func (r *Relay) open(displays, replies string) (err error) {
	for _, path := range []string{displays, replies} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			return &os.PathError{Op: "make the pipe", Path: path, Err: err}
		}
	}
	if r.displays, err = os.OpenFile(displays, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return err
	}
	if r.writeEnd, err = os.OpenFile(displays, os.O_WRONLY, 0); err != nil {
		return err
	}
	r.replies, err = os.OpenFile(replies, os.O_RDWR, 0)
	return err
}
