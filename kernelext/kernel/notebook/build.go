package notebook

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// Path returns the path of a source's notebook, which is in the parent of a folder src.
func Path(source string) string {
	folder := filepath.Dir(source)
	if filepath.Base(folder) == "src" {
		folder = filepath.Dir(folder)
	}
	return filepath.Join(folder, strings.TrimSuffix(filepath.Base(source), ".md")+".ipynb")
}

// Build builds the notebook of a source file. If path has a notebook, its unchanged cells keep their outputs.
func Build(source, path string) (*Notebook, error) {
	s, err := ReadSource(source)
	if err != nil {
		return nil, err
	}
	n := s.Notebook()
	old, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	before := map[string]*Cell{}
	for _, c := range old.Cells {
		before[c.ID] = c
	}
	for _, c := range n.Cells {
		if b := before[c.ID]; c.Type == Code && b != nil && b.Source == c.Source {
			c.Outputs, c.ExecutionCount = b.Outputs, b.ExecutionCount
		}
	}
	return n, nil
}
