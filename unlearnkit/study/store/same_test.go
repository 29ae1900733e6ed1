package store

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"testing"
	"time"
)

func TestSame(t *testing.T) {
	make := func(simd, note, name, content string) *Artifact {
		a, err := open(t, t.TempDir(), MadeBy("go", simd)).Do(t.Context(), stage, 1, nil,
			func(_ context.Context, w *Work) error {
				w.Note("note", note)
				w.Measure("seconds", time.Now().UnixNano())
				return os.WriteFile(w.Path(name), []byte(content), 0o644)
			})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := make("avx2", "a", "x", "1")
	if err := Same(first, make("avx512", "a", "x", "1")); err != nil {
		t.Errorf("one result on two machines: %v", err)
	}
	oneLine(t, Same(first, make("avx512", "a", "x", "2")), "the file x differs", "made with SIMD avx2 and avx512")
	oneLine(t, Same(first, make("avx2", "b", "x", "1")), "the note note differs")
	oneLine(t, Same(first, make("avx2", "a", "y", "1")), "the file x is only in the first")
	other := *first
	other.Manifest.Spec = json.RawMessage("2")
	oneLine(t, Same(first, &other), "the specs differ")
}

// appearing is a file system whose artifacts appear only after the first look.
type appearing struct {
	fs.FS
	looked bool
}

func (a *appearing) Open(name string) (fs.File, error) {
	if !a.looked {
		a.looked = true
		return nil, fs.ErrNotExist
	}
	return a.FS.Open(name)
}
