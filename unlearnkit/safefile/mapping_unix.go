//go:build unix

package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapping is a file's content in memory. The system reads pages when they are accessed and may drop them again.
type mapping []byte

func openMapping(file *os.File, size int64) (mapping, error) {
	return unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func (m mapping) close() error { return unix.Munmap(m) }
