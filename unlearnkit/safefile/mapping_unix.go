//go:build unix

package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapping is a file's content in memory. Pages are read when they are touched and can be dropped again by the system.
type mapping []byte

func openMapping(file *os.File, size int64) (mapping, error) {
	return unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func (m mapping) close() error { return unix.Munmap(m) }
