package kernelspec

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// standard lists packages of the standard library that cells use often. Each build flavour compiles its own standard
// library.
var standard = []string{"bytes", "context", "encoding/csv", "encoding/json", "errors", "flag", "fmt", "log", "maps",
	"math", "math/rand/v2", "net/http", "os",
	"os/exec", "os/signal", "path/filepath", "slices", "sort", "strconv", "strings", "sync", "time"}

// Warm builds all that cells import, with the kernel's flags, and then a small cell. It returns how long the small cell
// took.
func Warm(ctx context.Context, root, goimports string) (time.Duration, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "unlearnlab-warm-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	w := workspace{folder, root}
	language, err := goLine(root)
	if err != nil {
		return 0, err
	}
	files := map[string]string{
		"go.mod":  "module warm\n\n" + language + "\n",
		"go.work": language + "\n\nuse (\n\t.\n\t" + root + "\n)\n",
		"main.go": everything(root),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	build := append([]string{"build", "-o", "warm"}, launcher.BuildFlags...)
	if err := w.run(ctx, "go", build...); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"),
		[]byte("package main\n\nimport kx \""+launcher.Module+"/kernelext\"\n\nfunc main() { kx.Text(\"warm\") }\n"),
		0o644); err != nil {
		return 0, err
	}
	start := time.Now()
	if goimports != "" {
		if err := w.run(ctx, goimports, "-w", "main.go"); err != nil {
			return 0, err
		}
	}
	err = w.run(ctx, "go", build...)
	return time.Since(start), err
}

// goLine returns the line of go.mod with the Go version. A workspace must not name an older one.
func goLine(root string) (string, error) {
	file := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "go ") {
			return line, nil
		}
	}
	return "", fmt.Errorf("%s has no line with the Go version", file)
}

// everything returns a program that imports the packages that cells are likely to import.
func everything(root string) string {
	var text strings.Builder
	text.WriteString("package main\n\n")
	for _, path := range standard {
		fmt.Fprintf(&text, "import _ %q\n", path)
	}
	for _, p := range launcher.Preloads(root) {
		fmt.Fprintf(&text, "import _ %q\n", launcher.Module+"/"+p.Path)
	}
	text.WriteString("\nfunc main() {}\n")
	return text.String()
}

// A workspace is a folder in which programs run as they do under gonb.
type workspace struct{ folder, root string }

func (w workspace) run(ctx context.Context, program string, arguments ...string) error {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = w.folder
	flags, _ := launcher.WorkspaceFlags(os.Getenv("GOFLAGS"))
	command.Env = launcher.PinGo(append(os.Environ(), "GOEXPERIMENT="+flavour(), "GOFLAGS="+flags), w.root)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(program), arguments[0], err, strings.TrimSpace(string(output)))
	}
	return nil
}
