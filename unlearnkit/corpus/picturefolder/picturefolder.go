package picturefolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Pair is a picture and its caption.
type Pair struct {
	File    string // path relative to the folder, with slashes
	Caption string
}

// Example is a picture and its class.
type Example struct {
	File  string // path relative to the folder, with slashes
	Class int    // index into Set.Classes
}

// Set is pictures sorted by class.
type Set struct {
	Classes  []string // names of the classes
	Examples []Example
}

// Pairs reads the captions of all pictures in a folder and its subfolders. The pairs are sorted by file.
func Pairs(dir string) ([]Pair, error) {
	files, err := Files(dir)
	if err != nil {
		return nil, err
	}
	pairs := make([]Pair, len(files))
	for i, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(CaptionFile(file))))
		if err != nil {
			return nil, fmt.Errorf("read %s: its caption is missing: put it into a .txt file with the same name",
				filepath.Join(dir, file))
		}
		pairs[i] = Pair{file, strings.TrimSpace(string(text))}
	}
	return pairs, nil
}

// CaptionFile returns the path of the file with a picture's caption.
func CaptionFile(file string) string { return strings.TrimSuffix(file, path.Ext(file)) + ".txt" }

// Sorted reads a folder that has one subfolder of pictures per class. Classes are sorted by folder, and examples by
// file.
func Sorted(dir string) (*Set, error) {
	files, err := Files(dir)
	if err != nil {
		return nil, err
	}
	var folders []string
	set := &Set{Examples: make([]Example, len(files))}
	for i, file := range files {
		folder, _, below := strings.Cut(file, "/")
		if !below {
			return nil, fmt.Errorf("read %s: it is in no class folder: expected CLASS/%s", filepath.Join(dir, file),
				file)
		}
		if len(folders) == 0 || folders[len(folders)-1] != folder {
			folders = append(folders, folder)
		}
		set.Examples[i] = Example{file, len(folders) - 1}
	}
	set.Classes, err = names(dir, folders)
	return set, err
}

// Read reads a picture, given its path relative to dir.
func Read(dir, file string) (*safefile.Image, error) {
	return safefile.ReadImage(filepath.Join(dir, filepath.FromSlash(file)))
}

// Files returns the paths of all pictures in a folder and its subfolders, sorted, with slashes. It returns an error if
// there are none.
func Files(dir string) ([]string, error) {
	var files []string
	root, err := filepath.EvalSymlinks(dir) // WalkDir does not follow symbolic links
	if err == nil {
		err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() ||
				!slices.Contains([]string{".jpg", ".jpeg", ".png"}, strings.ToLower(filepath.Ext(path))) {
				return err
			}
			file, err := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(file))
			return err
		})
	}
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	if files == nil {
		return nil, fmt.Errorf("read %s: there are no pictures in it (.jpg, .jpeg, .png)", dir)
	}
	slices.SortFunc(files, byPart)
	return files, nil
}

// byPart compares paths component by component, so that files in the same folder are adjacent.
func byPart(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) }
