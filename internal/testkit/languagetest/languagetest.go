// Package languagetest makes folders of tiny language models for tests.
package languagetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder creates a folder with the tiny model "llava" or "llama" from package llava's tests and the tokenizer from
// package language's tests, and returns its path.
func Folder(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := Fill(dir, name); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Fill copies the files of [Folder] into an existing folder, for use in examples.
func Fill(dir, name string) error {
	root, err := root()
	if err != nil {
		return err
	}
	zoo := filepath.Join(root, "unlearnkit", "zoo")
	for _, from := range []string{filepath.Join(zoo, "llava", "testdata", name),
		filepath.Join(zoo, "language", "testdata")} {
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
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
				return err
			}
		}
	}
	return nil
}

// Adapter returns the folder of an adapter for the tiny model "llava".
func Adapter(t testing.TB) string {
	t.Helper()
	root, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "unlearnkit", "zoo", "llava", "testdata", "adapter")
}

// root returns the repository's folder, which contains the test's folder.
func root() (string, error) {
	at, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		above := filepath.Dir(at)
		if above == at {
			return "", errors.New("there is no go.mod above the test")
		}
		at = above
	}
}
