// Package languagetest makes folders of tiny language models for tests.
package languagetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder makes a folder of the tiny model "llava" or "llama" that package llava is tested with, and of the tokenizer
// that package language is tested with, and returns its path.
func Folder(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	zoo := filepath.Join(Root(t), "unlearnkit", "zoo")
	for _, from := range []string{filepath.Join(zoo, "llava", "testdata", name),
		filepath.Join(zoo, "language", "testdata")} {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), "expected") || strings.HasSuffix(entry.Name(), ".py") {
				continue
			}
			content, err := os.ReadFile(filepath.Join(from, entry.Name()))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, entry.Name()), content, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// Adapter is the folder of an adapter of the tiny model "llava".
func Adapter(t testing.TB) string {
	return filepath.Join(Root(t), "unlearnkit", "zoo", "llava", "testdata", "adapter")
}

// Root is the folder of the repository, found from that of the test.
func Root(t testing.TB) string {
	t.Helper()
	at, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		above := filepath.Dir(at)
		if above == at {
			t.Fatal("there is no go.mod above the test")
		}
		at = above
	}
}
