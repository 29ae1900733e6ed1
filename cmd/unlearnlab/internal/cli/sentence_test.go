package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"
)

// Twenty failures from one full disk make one sentence.
func TestSentence_FullDisk(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/mnt/lab/work/x/scores", Err: syscall.ENOSPC}
	var all []error
	for i := range 20 {
		all = append(all, fmt.Errorf("world %d: %w", i, full))
	}
	got := sentence(errors.Join(all...), nil)
	if text := got.Error(); strings.Contains(text, "\n") || len(text) > 250 ||
		!strings.HasPrefix(text, "the disk is full at /mnt/lab/work/x: free some space") {
		t.Errorf(`got %v, want length at most 250, "the disk is full at /mnt/lab/work/x: free some space" at its `+
			`beginning`,
			got)
	}
	for i := range all {
		all[i] = fmt.Errorf("world %d: diverged", i)
	}
	if got := sentence(errors.Join(all...), nil).Error(); got != "world 0: diverged; and 19 more errors" {
		t.Errorf(`got %v, want "world 0: diverged; and 19 more errors"`, got)
	}
	got = Later(errors.Join(all...))
	if got.Error() != "world 0: diverged; and 19 more errors; the same command continues" || !errors.Is(got, ErrLater) {
		t.Errorf("got %v, want one sentence", got)
	}
	if got := sentence(all[3], nil); got != all[3] {
		t.Errorf("got %v, want %v", got, all[3])
	}
}

// folder is the value of a flag.
type folder string

func (f folder) String() string   { return string(f) }
func (f folder) Set(string) error { return nil }
func (f folder) Type() string     { return "string" }

// A full disk is where --out is, or behind the standard output, and not in the laboratory's home.
func TestSentence_NotHome(t *testing.T) {
	out := &pflag.Flag{Name: "out", Value: folder("/mnt/pictures")}
	for path, want := range map[string]string{
		"/mnt/pictures/salmu/9.png": "the disk is full at /mnt/pictures/salmu: free some space, or give another folder by --out",
		os.Stdout.Name():            "write to the standard output: no space left on device",
	} {
		if got := sentence(&fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}, out).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	elsewhere := sentence(&fs.PathError{Op: "write", Path: "/mnt/lab/work", Err: syscall.ENOSPC}, out).Error()
	if !strings.Contains(elsewhere, "--home") {
		t.Errorf("got %q, want --home in it", elsewhere)
	}
}
