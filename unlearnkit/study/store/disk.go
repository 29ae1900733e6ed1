package store

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// seal syncs all files and folders below dir to the disk, makes the files read-only and returns their sizes and
// digests.
func seal(dir string) (map[string]File, error) {
	files := map[string]File{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return safefile.SyncFolder(path)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		if err := CheckName(name); err != nil {
			return err
		}
		files[name], err = sealFile(path)
		return err
	})
	return files, err
}

func sealFile(path string) (found File, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return found, err
	}
	defer file.Close()
	if found, err = digestOf(file); err != nil {
		return found, err
	}
	if err := file.Chmod(0o444); err != nil {
		return found, err
	}
	return found, file.Sync()
}

// publish syncs a sealed folder and renames it to its final path. If another process has published the artifact first,
// publish keeps that artifact.
func publish(dir, place string) error {
	if err := safefile.SyncFolder(dir); err != nil {
		return err
	}
	parent := filepath.Dir(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	if err := safefile.SyncFolder(filepath.Dir(parent)); err != nil {
		return err
	}
	if err := os.Rename(dir, place); err != nil {
		if _, taken := os.Stat(place); taken == nil {
			return nil
		}
		return err
	}
	return safefile.SyncFolder(parent)
}

// writeContent replaces a small file atomically.
func writeContent(path string, content []byte) error {
	return safefile.WriteFile(path, func(target io.Writer) error {
		_, err := target.Write(content)
		return err
	})
}
