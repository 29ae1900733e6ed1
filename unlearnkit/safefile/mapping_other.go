//go:build !unix

package safefile

import (
	"io"
	"os"
)

// mapping is a file's content in memory.
type mapping []byte

func openMapping(file *os.File, size int64) (mapping, error) {
	content := make([]byte, size)
	_, err := io.ReadFull(file, content)
	return content, err
}

func (m mapping) close() error { return nil }
