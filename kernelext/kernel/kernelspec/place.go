package kernelspec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Place is where a kernel is installed. The zero value is the user's own Jupyter folder.
type Place struct {
	Prefix    string // Python prefix, such as a virtual environment's folder
	SysPrefix bool   // use the active Python's prefix: a virtual environment, conda, or python3 on PATH
}

// Folder returns the kernel's folder at p.
func (p Place) Folder(ctx context.Context) (string, error) {
	data := ""
	switch {
	case p.Prefix != "" && p.SysPrefix:
		return "", errors.New("give either a prefix or the active Python's prefix, not both")
	case p.Prefix != "":
		data = filepath.Join(p.Prefix, "share", "jupyter")
	case p.SysPrefix:
		prefix, err := activePrefix(ctx)
		if err != nil {
			return "", err
		}
		data = filepath.Join(prefix, "share", "jupyter")
	default:
		var err error
		if data, err = UserData(os.Getenv); err != nil {
			return "", err
		}
	}
	folder, err := filepath.Abs(filepath.Join(data, "kernels", Name))
	if err != nil {
		return "", fmt.Errorf("kernel's folder: %w", err)
	}
	return folder, nil
}

// UserData returns the user's Jupyter data folder, as jupyter --data-dir prints it.
func UserData(getenv func(string) string) (string, error) {
	if data := getenv("JUPYTER_DATA_DIR"); data != "" {
		return data, nil
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(getenv("APPDATA"), "jupyter"), nil
	}
	home := getenv("HOME")
	if home == "" {
		return "", errors.New("no home folder: $HOME is not defined; give --prefix")
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	if data := getenv("XDG_DATA_HOME"); data != "" {
		return filepath.Join(data, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

func activePrefix(ctx context.Context) (string, error) {
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(variable); prefix != "" {
			return prefix, nil
		}
	}
	output, err := exec.CommandContext(ctx, "python3", "-c", "import sys; print(sys.prefix)").Output()
	if err != nil {
		return "", fmt.Errorf("no active Python: %w; activate a virtual environment or give --prefix", err)
	}
	return strings.TrimSpace(string(output)), nil
}

// Lab returns the prefix into which make lab installs the kernel: .lab/venv in the working directory or the nearest
// parent that has it. It returns "" if there is none.
func Lab() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		prefix := filepath.Join(folder, ".lab", "venv")
		if _, err := os.Stat(filepath.Join(prefix, "share", "jupyter", "kernels", Name)); err == nil {
			return prefix
		}
		if folder == filepath.Dir(folder) {
			return ""
		}
		folder = filepath.Dir(folder)
	}
}

// Installed returns the folders that hold this kernel, in the order in which Jupyter searches them. The folder of make
// lab comes last.
func Installed(ctx context.Context) []string {
	places := []Place{{}, {SysPrefix: true}, {Prefix: "/usr/local"}, {Prefix: "/usr"}}
	if lab := Lab(); lab != "" {
		places = append(places, Place{Prefix: lab})
	}
	var found []string
	for _, place := range places {
		folder, err := place.Folder(ctx)
		if err != nil || slices.Contains(found, folder) {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder, "kernel.json")); err == nil {
			found = append(found, folder)
		}
	}
	return found
}
