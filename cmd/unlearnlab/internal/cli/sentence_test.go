package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// Twenty failures from one full disk make one sentence.
func TestSentence_FullDisk(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/mnt/lab/work/x/scores", Err: syscall.ENOSPC}
	var all []error
	for i := range 20 {
		all = append(all, fmt.Errorf("world %d: %w", i, full))
	}
	got := sentence(errors.Join(all...)).Error()
	if strings.Contains(got, "\n") || len(got) > 250 ||
		!strings.HasPrefix(got, "the disk is full at /mnt/lab/work/x: free some space") {
		t.Errorf(`got %v, want length at most 250, "the disk is full at /mnt/lab/work/x: free some space" at its `+
			`beginning`,
			got)
	}
	for i := range all {
		all[i] = fmt.Errorf("world %d: diverged", i)
	}
	if got := sentence(errors.Join(all...)).Error(); got != "world 0: diverged; and 19 more errors" {
		t.Errorf(`got %v, want "world 0: diverged; and 19 more errors"`, got)
	}
	if got := sentence(all[3]); got != all[3] {
		t.Errorf("got %v, want %v", got, all[3])
	}
}
