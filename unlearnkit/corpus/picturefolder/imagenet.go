package picturefolder

import (
	_ "embed" // for the names of ImageNet
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed imagenet/classes.txt
var imagenetClasses string

//go:embed imagenet/templates.txt
var imagenetTemplates string

// ClassesFile lists the names of a folder's classes, unless they are ImageNet's.
const ClassesFile = "classes.txt"

// Templates returns the 80 prompt templates of CLIP for the classes of ImageNet, with %s for the class.
func Templates() []string {
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(imagenetTemplates, "{}", "%s")), "\n")
}

// names returns the names of the classes in some folders.
func names(dir string, folders []string) ([]string, error) {
	path := filepath.Join(dir, ClassesFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		known := strings.Split(strings.TrimSpace(imagenetClasses), "\n")
		if len(folders) != len(known) || !strings.HasPrefix(folders[0], "n0") {
			return nil, fmt.Errorf("read %s: %d folders of pictures are not the %d classes of ImageNet; name the "+
				"classes in %s, a line each: the folder, then its name", dir, len(folders), len(known), ClassesFile)
		}
		return known, nil // ImageNet's order is the order of its folders
	}
	if err != nil {
		return nil, err
	}
	named := map[string]string{}
	for line := range strings.Lines(string(content)) {
		folder, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		named[folder] = strings.TrimSpace(name)
	}
	all := make([]string, len(folders))
	for i, folder := range folders {
		if all[i] = named[folder]; all[i] == "" {
			return nil, fmt.Errorf("read %s: it has no name for the folder %s", path, folder)
		}
	}
	return all, nil
}
