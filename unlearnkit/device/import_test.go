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

// go-xla needs cgo and Linux on amd64; one file with those tags keeps the rest of the project building everywhere.
func TestXLAIsImportedByOneFile(t *testing.T) {
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
	if want := filepath.Join("..", "..", "unlearnkit", "device", "xla.go"); err != nil ||
		!slices.Equal(importers, []string{want}) {
		t.Errorf("%v, %v; want %s alone", importers, err, want)
	}
}
