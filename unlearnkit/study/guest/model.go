package guest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Model locates a guest's model on the user's disk.
type Model struct {
	// Path is a folder with config.json and safetensors files, a folder with an adapter in PEFT's format, or a
	// safetensors file with all tensors or the changed ones.
	Path string
	// Original is the model that an adapter, changed tensors or differences belong to, in the same formats. If it is "",
	// they belong to the study's own original.
	Original string
	// Differences reports whether the files hold differences from the original's tensors.
	Differences bool
}

// Models maps digests to models.
type Models map[string]Model

// Of returns the model with a digest. It returns an error if this process did not read the model.
func (m Models) Of(digest string) (Model, error) {
	if model, known := m[digest]; known {
		return model, nil
	}
	return Model{}, fmt.Errorf("the guest's model with the digest %.12s is not at hand: evaluate it again", digest)
}

// Whole reports whether the model can be read without the study's original.
func (m Model) Whole() bool {
	if m.Original != "" {
		return true
	}
	has := func(name string) bool { return exists(filepath.Join(m.Path, name)) }
	return !m.Differences && !has("adapter_config.json") && (has("config.json") || has("open_clip_config.json"))
}

// Check returns an error if the model's files cannot be read, if they are pickles, or if they contain numbers that are
// not finite.
func (m Model) Check() error {
	for _, path := range m.paths() {
		files, err := weightFiles(path)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := checkTensors(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// paths returns the paths of the model and of its original.
func (m Model) paths() []string {
	if m.Original == "" {
		return []string{m.Path}
	}
	return []string{m.Path, m.Original}
}

// weightFiles returns the safetensors files of a model.
func weightFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read %s: there is no such file or folder; give the folder of a model", path)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	case !info.IsDir():
		return []string{path}, nil
	}
	files, err := filesWith(path, ".safetensors")
	if err == nil && len(files) == 0 {
		_, err = safefile.OpenFolder(path, "model") // the error names what the folder contains instead
		err = fmt.Errorf("%w; save the model as safetensors, in transformers by save_pretrained", err)
	}
	return files, err
}

// filesWith returns the paths of a folder's files with an ending, sorted.
func filesWith(folder, ending string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", folder, safefile.WithoutPath(err))
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ending) && !entry.IsDir() {
			paths = append(paths, filepath.Join(folder, entry.Name()))
		}
	}
	return paths, nil
}

// checkTensors opens a file and returns an error if a tensor has numbers that are not finite.
func checkTensors(path string) error {
	file, err := safefile.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, name := range file.Names() {
		count, err := file.NonFinite(name)
		if err == nil && count > 0 {
			err = fmt.Errorf("read %s: the tensor %s has %d values that are NaN or infinite; the training diverged, so "+
				"evaluate an earlier checkpoint", path, name, count)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// configurations lists the files that describe the tensors in a folder.
var configurations = []string{"config.json", "open_clip_config.json", "adapter_config.json", "model.safetensors.index.json"}

// Digest returns the SHA-256 of the model's files and their names. The paths of folders do not matter.
func (m Model) Digest() (string, error) {
	all := sha256.New()
	fmt.Fprintf(all, "differences %v\n", m.Differences)
	for _, path := range m.paths() {
		files, err := weightFiles(path)
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			for _, name := range configurations {
				if config := filepath.Join(path, name); exists(config) {
					files = append(files, config)
				}
			}
		}
		slices.Sort(files)
		for _, file := range files {
			sum, err := sumOf(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(all, "%s %s\n", filepath.Base(file), sum)
		}
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
