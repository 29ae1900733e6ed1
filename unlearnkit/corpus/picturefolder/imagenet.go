package picturefolder

import (
	_ "embed" // names and templates of ImageNet
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

// ClassesFile is the file with the class names of a folder's subfolders. It is not needed for ImageNet's classes.
const ClassesFile = "classes.txt"

// Templates returns CLIP's 80 prompt templates for ImageNet, with %s for the class name.
func Templates() []string {
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(imagenetTemplates, "{}", "%s")), "\n")
}

// names returns the class names of the given folders.
func names(dir string, folders []string) ([]string, error) {
	path := filepath.Join(dir, ClassesFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		known := strings.Split(strings.TrimSpace(imagenetClasses), "\n")
		if len(folders) != len(known) || !strings.HasPrefix(folders[0], "n0") {
			return nil, fmt.Errorf("read %s: %d folders of pictures are not the %d classes of ImageNet; name the "+
				"classes in %s, a line each: the folder, then its name", dir, len(folders), len(known), ClassesFile)
		}
		return known, nil // ImageNet's classes are in the order of folder names
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
