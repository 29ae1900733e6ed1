package kernelspec

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

//go:embed logo/logo-svg.svg logo/logo-64x64.png logo/logo-32x32.png
var logos embed.FS

// tools lists the programs that are built from go.mod's tool lines.
var tools = []string{"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"}

// A Kernel describes the kernel to install.
type Kernel struct {
	Place
	Style
	Root    string // folder of this module
	Command string // unlearnlab program, which is copied

	Note func(text string) // receives what was left out; may be nil
}

// Install builds the kernel's programs, writes its folder and returns the folder. It replaces an older kernel. The
// folder appears in one step, so Jupyter never finds an incomplete kernel.
func Install(ctx context.Context, k Kernel) (string, error) {
	folder, err := k.Folder(ctx)
	if err != nil {
		return "", err
	}
	root, err := filepath.Abs(k.Root)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", fmt.Errorf("%w; give --prefix with a folder that you can write", err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(folder), ".new-*")
	if err != nil {
		return "", fmt.Errorf("%w; give --prefix with a folder that you can write", err)
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return "", err
	}
	if err := k.fill(ctx, fresh, folder, root); err != nil {
		return "", err
	}
	return folder, replace(folder, fresh)
}

// fill writes all files into the folder fresh, which will be renamed to folder.
func (k Kernel) fill(ctx context.Context, fresh, folder, root string) error {
	bin := filepath.Join(fresh, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return err
	}
	if err := buildTools(ctx, bin, root); err != nil {
		return err
	}
	if os.Getenv(launcher.NoCompletion) == "" {
		if err := buildGopls(ctx, filepath.Join(bin, launcher.GoplsFolder), root); err != nil && k.Note != nil {
			k.Note("Tab will not complete Go: " + err.Error())
		}
	}
	if err := copyProgram(filepath.Join(bin, Name+programSuffix()), k.Command); err != nil {
		return err
	}
	for _, logo := range []string{"logo-svg.svg", "logo-64x64.png", "logo-32x32.png"} {
		data, err := logos.ReadFile("logo/" + logo)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fresh, logo), data, 0o644); err != nil {
			return err
		}
	}
	text, err := describe(filepath.Join(folder, "bin"), root, k.Style, environment(root))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(fresh, "kernel.json"), text, 0o644)
}

// buildTools builds gonb and goimports at the versions of the module in root.
func buildTools(ctx context.Context, bin, root string) error {
	if err := buildIn(ctx, root, bin, root, tools...); err != nil {
		return fmt.Errorf("build gonb and goimports in %s: %w", root, err)
	}
	return nil
}

// gopls is the language server. It has its own module, because its dependencies need other versions than root's.
const gopls = "golang.org/x/tools/gopls"

// goplsModule is the folder, relative to root, whose go.mod pins the language server.
const goplsModule = "scripts/jupyter/gopls"

// hasGopls reports whether root has the language server's module. Go's module cache and the wheels do not have it.
func hasGopls(root string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(goplsModule), "go.mod"))
	return err == nil
}

// buildGopls builds the language server. A kernel works without it.
func buildGopls(ctx context.Context, bin, root string) error {
	if err := os.Mkdir(bin, 0o755); err != nil {
		return err
	}
	if !hasGopls(root) {
		return fmt.Errorf("%s has no %s; a clone has it", root, goplsModule)
	}
	folder := filepath.Join(root, filepath.FromSlash(goplsModule))
	if err := buildIn(ctx, folder, bin, root, gopls); err != nil {
		return fmt.Errorf("build gopls in %s: %w", folder, err)
	}
	return nil
}

// buildIn builds programs of a module into a folder, with the toolchain pinned by root.
func buildIn(ctx context.Context, module, bin, root string, programs ...string) error {
	arguments := slices.Concat([]string{"build", "-o", bin + string(filepath.Separator)}, launcher.BuildFlags, programs)
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = module
	command.Env = append(launcher.PinGo(os.Environ(), root), "GOWORK=off")
	var problems bytes.Buffer
	command.Stderr = &problems
	if err := command.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(problems.Bytes()))
	}
	return nil
}

func programSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

func copyProgram(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}

// replace moves the folder fresh to the path of the old one. Running kernels keep the programs that they have open.
func replace(folder, fresh string) error {
	old := fresh + ".old"
	switch err := os.Rename(folder, old); {
	case err == nil:
		defer os.RemoveAll(old)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.Rename(fresh, folder)
}

// environment returns the variables that kernel.json adds to the environment of Jupyter's server. They fix GOEXPERIMENT
// and the toolchain, so that cells reuse what Warm builds.
func environment(root string) map[string]string {
	env := map[string]string{"GOEXPERIMENT": flavour()}
	if pinned := launcher.PinnedGo(root); pinned != "" {
		env["GOTOOLCHAIN"] = pinned
	}
	if path, err := exec.LookPath("go"); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			env[launcher.GoFolder] = filepath.Dir(path)
		}
	}
	return env
}

// flavour returns the kernel's GOEXPERIMENT: the user's if set, otherwise this project's.
func flavour() string {
	if flavour, set := os.LookupEnv("GOEXPERIMENT"); set {
		return flavour
	}
	return "simd"
}

// Uninstall removes a kernel's folder. If there is no kernel at place, it returns an error, so that nobody believes
// that one was removed.
func Uninstall(ctx context.Context, place Place) (string, error) {
	folder, err := place.Folder(ctx)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(folder, "kernel.json")); err != nil {
		return "", fmt.Errorf("no kernel in %s; unlearnlab kernel doctor shows where it is", folder)
	}
	return folder, os.RemoveAll(folder)
}
