package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// writeFile writes a file that is there after a loss of power.
func writeFile(path string, content io.Reader) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Sync(), file.Close())
}

// replaceFile puts a small file in the place of what is there, whole or not at all.
func replaceFile(path string, content []byte) error {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone after the rename
	_, err = file.Write(content)
	for _, next := range []func() error{func() error { return file.Chmod(0o644) }, file.Sync} {
		if err == nil {
			err = next()
		}
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		err = syncFolder(folder)
	}
	return err
}

// syncFolder makes what was created in a folder and renamed into it last. Windows has no such call and needs none.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// seal brings all files and folders below dir to the disk, makes the files read-only and says what they are.
func seal(dir string) (map[string]File, error) {
	files := map[string]File{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return syncFolder(path)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", name)
		}
		if err := checkName(name); err != nil {
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
	if found, err = digest(file); err != nil {
		return found, err
	}
	if err := file.Chmod(0o444); err != nil {
		return found, err
	}
	return found, file.Sync()
}

// publish brings a sealed folder's own entries to the disk and gives it its place. Where another process was faster,
// its folder stays.
func publish(dir, place string) error {
	if err := syncFolder(dir); err != nil {
		return err
	}
	parent := filepath.Dir(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(parent)); err != nil {
		return err
	}
	if err := os.Rename(dir, place); err != nil {
		if _, taken := os.Stat(place); taken == nil {
			return nil
		}
		return err
	}
	return syncFolder(parent)
}
