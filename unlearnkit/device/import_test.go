package device_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// go-xla needs cgo and Linux on amd64; the files of one package with those
// tags keep the rest of the project building everywhere.
func TestXLA_ImportedOnce(t *testing.T) {
	var importers []string
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") &&
			strings.Trim(entry.Name(), ".") != "" {
			return filepath.SkipDir // .lab has a module cache
		}
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imported := range file.Imports {
			if strings.HasPrefix(imported.Path.Value, `"github.com/gomlx/go-xla`) && !slices.Contains(importers, path) {
				importers = append(importers, path)
			}
		}
		return nil
	})
	folder := filepath.Join("..", "..", "unlearnkit", "device")
	want := []string{filepath.Join(folder, "xla.go"), filepath.Join(folder, "xla_programs.go")}
	if err != nil || !slices.Equal(importers, want) {
		t.Errorf("%v, %v; want %v alone", importers, err, want)
	}
}
