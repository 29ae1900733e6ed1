//go:build !unix

package kernelext

import "errors"

func (r *relay) open(_, _ string) error {
	return errors.New("this system has no named pipes; nor has a kernel here")
}
