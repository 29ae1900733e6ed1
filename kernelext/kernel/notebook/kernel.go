package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
)

// Kernel of this project's notebooks.
const (
	KernelName  = kernelspec.Name
	kernelTitle = kernelspec.DisplayName
)

// A Kernel is a command line that starts a kernel.
type Kernel struct {
	Argv []string // {connection_file} is replaced by the path of the connection file
	Env  []string // "NAME=value", added to this process's environment
	Dir  string   // working directory; "" is the current one
}

// FindKernel finds an installed kernel in Jupyter's folders.
func FindKernel(name string) (Kernel, error) {
	if !cellID.MatchString(name) {
		return Kernel{}, fmt.Errorf("kernel %q: a kernel's name has letters, digits, - and _", name)
	}
	folders := dataFolders(os.Getenv)
	for _, folder := range folders {
		path := filepath.Join(folder, "kernels", name, "kernel.json")
		k, err := readKernel(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		return k, err
	}
	return Kernel{}, fmt.Errorf("kernel %q is not installed in any of %s; run unlearnlab kernel install", name,
		strings.Join(folders, ", "))
}

func readKernel(path string) (Kernel, error) {
	file, err := os.Open(path)
	if err != nil {
		return Kernel{}, err
	}
	defer file.Close()
	var spec struct {
		Argv []string          `json:"argv"`
		Env  map[string]string `json:"env"`
	}
	if err := json.NewDecoder(io.LimitReader(file, 1<<20)).Decode(&spec); err != nil {
		return Kernel{}, fmt.Errorf("%s: %w; run unlearnlab kernel install again", path, err)
	}
	if len(spec.Argv) == 0 {
		return Kernel{}, fmt.Errorf("%s: argv is empty; run unlearnlab kernel install again", path)
	}
	k := Kernel{Argv: spec.Argv}
	for i, argument := range k.Argv {
		k.Argv[i] = strings.ReplaceAll(argument, "{resource_dir}", filepath.Dir(path))
	}
	for key, value := range spec.Env {
		k.Env = append(k.Env, key+"="+os.Expand(value, os.Getenv))
	}
	return k, nil
}

// dataFolders returns Jupyter's data folders, the most specific first.
func dataFolders(getenv func(string) string) []string {
	folders := filepath.SplitList(getenv("JUPYTER_PATH"))
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := getenv(variable); prefix != "" {
			folders = append(folders, filepath.Join(prefix, "share", "jupyter"))
		}
	}
	if lab := kernelspec.Lab(); lab != "" {
		folders = append(folders, filepath.Join(lab, "share", "jupyter"))
	}
	if data, err := kernelspec.UserData(getenv); err == nil {
		folders = append(folders, data)
	}
	return append(folders, "/usr/local/share/jupyter", "/usr/share/jupyter")
}
