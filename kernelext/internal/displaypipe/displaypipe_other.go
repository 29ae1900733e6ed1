//go:build !unix

package displaypipe

import "errors"

func (r *Relay) open(_, _ string) error {
	return errors.New("this system has no named pipes, which the kernel needs")
}
