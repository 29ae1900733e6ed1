// Package datafolder finds downloaded data sets that have one of several layouts.
package datafolder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Layouts describes the possible layouts of a kind of data set.
type Layouts[K any] struct {
	// Holds returns the layout of the data set in a folder, or false if there is none.
	Holds func(dir string) (K, bool)
	Title func(K) string
	// Nothing is the error for a folder without a data set. It names what Of looked for.
	Nothing string
}

// Of returns the layout of the data set in a folder. If there is none, the error explains why.
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

// levels is the depth to which Find searches. For example, Speech-MASSIVE/de-DE is two levels below a folder of
// downloads.
const levels = 2

// Find returns the folders with data sets: dir itself, or folders below it. If there are none, it returns dir, so that
// a later check can explain the error.
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
	entries, _ := os.ReadDir(dir) // a later check reports the error
	for _, entry := range entries {
		found = append(found, find(filepath.Join(dir, entry.Name()), levels-1, here)...)
	}
	return found
}

// Relative returns paths relative to a folder, with slashes, sorted and without duplicates. Paths outside the folder
// begin with "..".
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
