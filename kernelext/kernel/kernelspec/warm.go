package kernelspec

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// Build compiles everything that cells import, with the kernel's flags.
func Build(ctx context.Context, root string) error {
	w, err := newWorkspace(root)
	if err != nil {
		return err
	}
	defer w.close()
	return w.run(ctx, "go", slices.Concat([]string{"build"}, launcher.BuildFlags, imported(w.root))...)
}

// Warm compiles everything that cells import, and then builds a small cell. It returns the time that the cell took.
func Warm(ctx context.Context, root, goimports string) (time.Duration, error) {
	if err := Build(ctx, root); err != nil {
		return 0, err
	}
	w, err := newWorkspace(root)
	if err != nil {
		return 0, err
	}
	defer w.close()
	const cell = "package main\n\nimport kx \"" + launcher.Module + "/kernelext\"\n\nfunc main() { kx.Text(\"warm\") }\n"
	if err := w.write("main.go", cell); err != nil {
		return 0, err
	}
	start := time.Now()
	if goimports != "" {
		if err := w.run(ctx, goimports, "-w", "main.go"); err != nil {
			return 0, err
		}
	}
	err = w.run(ctx, "go", slices.Concat([]string{"build", "-o", "warm"}, launcher.BuildFlags)...)
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

// imported returns the paths of all packages that cells are likely to import.
func imported(root string) []string {
	paths := append([]string{"math/rand/v2"}, launcher.Standard...)
	for _, p := range launcher.Preloads(root) {
		paths = append(paths, launcher.Module+"/"+p.Path)
	}
	return paths
}

// A workspace is a temporary folder in which programs run as they do under gonb.
type workspace struct{ folder, root string }

// newWorkspace creates a workspace that contains the module in root.
func newWorkspace(root string) (w workspace, err error) {
	if w.root, err = filepath.Abs(root); err != nil {
		return w, err
	}
	language, err := goLine(w.root)
	if err != nil {
		return w, err
	}
	if w.folder, err = os.MkdirTemp("", "unlearnlab-warm-*"); err != nil {
		return w, err
	}
	err = w.write("go.mod", "module warm\n\n"+language+"\n")
	if err == nil {
		err = w.write("go.work", language+"\n\nuse (\n\t.\n\t"+w.root+"\n)\n")
	}
	if err != nil {
		w.close()
	}
	return w, err
}

func (w workspace) close() { os.RemoveAll(w.folder) }

func (w workspace) write(name, text string) error {
	return os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o644)
}

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
