package lab

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Weights are what the files of a published model's weights are called.
type Weights struct {
	Base      string // of BASE.safetensors, or of its shards
	Converted string // of a model that is published as a pickle, with its ending: what the command writes that is told
}

// Open opens the weights in a folder.
func (w Weights) Open(folder string) (*safefile.Tensors, error) {
	file, err := safefile.OpenFolder(folder, w.Base)
	converted := filepath.Join(folder, w.Converted)
	if _, missing := os.Stat(converted); err == nil || missing != nil {
		return file, err
	}
	return safefile.Open(converted)
}

// Files are the names of the files of the weights in a folder, which must be there.
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
