package gopls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Files of a kernel's program.
const (
	mainFile  = "main.go"
	cellsFile = "cells.go"
)

// WriteModule writes a module into a folder. It can import the module in root, and that module's requirements at the
// versions of its go.mod. The server then loads only what the program imports; in a workspace, which notebook programs
// are built in, it would load every package in root with all tests.
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

// moduleFile returns a go.mod that requires a module and all of its requirements. text is the module's own go.mod.
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
	fmt.Fprintf(&out, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, quoteGoMod(root))
	return out.String()
}

// quoteGoMod quotes a path for a go.mod file if necessary.
func quoteGoMod(path string) string {
	if strings.ContainsAny(path, " \t\"'`(),") {
		return fmt.Sprintf("%q", path)
	}
	return path
}
