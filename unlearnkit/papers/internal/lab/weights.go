package lab

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Weights holds the names of a published model's weight files.
type Weights struct {
	Base      string // name without .safetensors, or prefix of the shards' names
	Converted string // name after conversion, if the model is published only as a pickle
}

// Open opens the weights in a folder. If Base is missing, it opens the converted file.
func (w Weights) Open(folder string) (*safefile.Tensors, error) {
	file, err := safefile.OpenFolder(folder, w.Base)
	converted := filepath.Join(folder, w.Converted)
	if _, missing := os.Stat(converted); err == nil || missing != nil {
		return file, err
	}
	return safefile.Open(converted)
}

// Files returns the names of the weight files in a folder. It returns an error if they are missing.
func (w Weights) Files(folder string) ([]string, error) {
	file, err := w.Open(folder)
	if err != nil {
		return nil, err
	}
	file.Close()
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if name := entry.Name(); name == w.Converted || strings.HasPrefix(name, w.Base) &&
			strings.Contains(name, ".safetensors") {
			files = append(files, name)
		}
	}
	return files, nil
}
