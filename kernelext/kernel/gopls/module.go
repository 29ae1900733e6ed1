package gopls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The files of a kernel's program.
const (
	mainFile  = "main.go"
	cellsFile = "cells.go"
)

// WriteModule makes a module in a folder whose programs see the module in root, and what that requires, at the versions
// that its go.mod has. Only what a program imports is read: in a workspace, as a notebook's programs are built in, the
// server would read every package of root with all its tests.
func WriteModule(folder, root, module string, d Document) error {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	files := map[string]string{"go.mod": moduleFile(string(text), root, module), "go.sum": string(sums),
		mainFile: d.Main, cellsFile: d.Cells}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// moduleFile is a go.mod of a program that requires what a module requires, and the module itself.
func moduleFile(text, root, module string) string {
	var out strings.Builder
	out.WriteString("module cells\n")
	skipping := false
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case skipping:
			skipping = word != ")"
		case word == "module":
		case word == "tool":
			skipping = strings.HasPrefix(rest, "(")
		default:
			out.WriteString(line)
		}
	}
	fmt.Fprintf(&out, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, quoted(root))
	return out.String()
}

// quoted is a path as a go.mod may have it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`(),") {
		return fmt.Sprintf("%q", path)
	}
	return path
}
