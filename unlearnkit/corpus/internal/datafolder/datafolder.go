// Package datafolder finds data sets of several layouts in folders of downloads.
package datafolder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Layouts are those of data sets that can be told apart.
type Layouts[K any] struct {
	// Holds finds out which layout a folder has, if any.
	Holds func(dir string) (K, bool)
	Title func(K) string
	// Nothing is what is said of a folder without a data set, and what was looked for.
	Nothing string
}

// Of is the layout of the data set in a folder. An error says why there is none.
func (l Layouts[K]) Of(dir string) (none K, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return none, fmt.Errorf("read %s: %w", dir, safefile.WithoutPath(err))
	}
	if kind, here := l.Holds(dir); here {
		return kind, nil
	}
	for _, entry := range entries {
		if kind, below := l.Holds(filepath.Join(dir, entry.Name())); below {
			return none, fmt.Errorf("read %s: it holds folders of data sets, such as %s in %s; give one of these", dir,
				l.Title(kind), entry.Name())
		}
	}
	return none, fmt.Errorf("read %s: %s", dir, l.Nothing)
}

// levels is how far below a folder data sets are looked for: Speech-MASSIVE/de-DE lies two levels below a folder of
// downloads.
const levels = 2

// Find returns the folders of data sets in dir: dir itself, or those below it. It is dir where there are none, for a
// check to say why.
func Find(dir string, here func(dir string) bool) []string {
	if found := find(dir, levels, here); len(found) > 0 {
		return found
	}
	return []string{dir}
}

func find(dir string, levels int, here func(dir string) bool) (found []string) {
	if here(dir) {
		return []string{dir}
	}
	if levels == 0 {
		return nil
	}
	entries, _ := os.ReadDir(dir) // a check tells what is wrong
	for _, entry := range entries {
		found = append(found, find(filepath.Join(dir, entry.Name()), levels-1, here)...)
	}
	return found
}

// Relative are paths from a folder with slashes, in order and each once. Those beside the folder begin with "..".
func Relative(dir string, paths []string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, path := range paths {
		if path, err = filepath.Abs(path); err == nil {
			path, err = filepath.Rel(dir, path)
		}
		if err != nil {
			return nil, err
		}
		paths[i] = filepath.ToSlash(path)
	}
	return paths, nil
}
