package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// copyOut copies the files of an artifact into a folder of the store. Later calls reuse the copies.
func (s *Store) copyOut(a *Artifact) (dir string, err error) {
	if err := s.Make(); err != nil {
		return "", err
	}
	dir = filepath.Join(s.folder, "copies", string(a.Key))
	for _, name := range a.Names() {
		if err := CheckName(name); err != nil {
			return "", err
		}
		if err := copyFile(a, name, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// copyFile copies a file. It does nothing if a copy of the same size exists or if the file consists of rows of a table.
func copyFile(a *Artifact, name, path string) error {
	stored := a.Manifest.Files[name]
	if info, err := os.Stat(path); err == nil && info.Size() == stored.Size {
		return nil
	}
	file, err := a.Open(name)
	if errors.Is(err, ErrTable) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	difference, err := stored.Compare(io.NewSectionReader(file, 0, stored.Size+1))
	if err != nil {
		return err
	}
	if difference != "" {
		return &Damaged{a.Key, a.place(), name, difference}
	}
	if err := safefile.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.WriteFile(path, func(target io.Writer) error {
		_, err := io.Copy(target, io.NewSectionReader(file, 0, stored.Size))
		return err
	})
}
