package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// longestPause is the longest pause between two attempts to get a lock. The lock is polled, so that a context can end
// the wait.
const longestPause = 100 * time.Millisecond

// A lock is a lock on a file. The kernel releases it when the process ends for any reason.
type lock struct{ file *os.File }

// lock acquires the key's lock. If wait is false and another process holds the lock, it returns ErrBusy.
func (s *Store) lock(ctx context.Context, key Key, wait bool) (*lock, error) {
	if err := s.Make(); err != nil {
		return nil, err
	}
	path := filepath.Join(s.folder, "locks", string(key))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, s.unwritable(err)
	}
	for pause := time.Millisecond; ; pause = min(2*pause, longestPause) {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, s.unwritable(err)
		}
		held, err := tryLock(file)
		if err == nil && held && isAt(file, path) {
			return &lock{file}, nil
		}
		file.Close()
		switch {
		case err != nil:
			return nil, fmt.Errorf("lock %s: %w", path, err)
		case held: // the last holder has removed the file
			continue
		case !wait:
			return nil, fmt.Errorf("%w: %s", ErrBusy, key.short())
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for another process to make the artifact %s: %w", key.short(),
				context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}

// release removes the lock file and releases the lock. The file is removed first, so that a waiting process notices
// that the path no longer has the locked file.
func (l *lock) release() {
	os.Remove(l.file.Name())
	l.file.Close()
}

// isAt reports whether an open file is still the file at its path.
func isAt(file *os.File, path string) bool {
	held, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(held, now)
}

func (s *Store) unwritable(err error) error {
	return fmt.Errorf("write to the store %s: %w; choose another with %s", s.folder, safefile.WithoutPath(err),
		HomeVariable)
}
