package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// A layer is a set of artifacts: the store's own, and those below it that are read and never written.
type layer struct {
	system fs.FS
	folder string // where the files lie; "" where they have no paths, such as those inside a program
}

func folderLayer(folder string) layer { return layer{os.DirFS(folder), folder} }

// dir is where an artifact lies, for people.
func (l layer) dir(key Key) string {
	if l.folder == "" {
		return "shipped in the program, " + string(key)
	}
	return placeOf(l.folder, key)
}

// manifest reads an artifact's manifest.
func (l layer) manifest(key Key) (Manifest, error) {
	place := path.Join(string(key[:2]), string(key))
	content, err := fs.ReadFile(l.system, path.Join(place, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(l.system, place); err != nil {
			return Manifest{}, ErrAbsent
		}
		// The folder may have been published between the two calls. Then it is whole.
		content, err = fs.ReadFile(l.system, path.Join(place, manifestName))
		if errors.Is(err, fs.ErrNotExist) {
			return Manifest{}, &Damaged{key, l.dir(key), manifestName, "it is missing"}
		}
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read the artifact %s: %w", l.dir(key), withoutPath(err))
	}
	m, err := decodeManifest(content, key)
	if err != nil {
		return Manifest{}, &Damaged{key, l.dir(key), manifestName, err.Error()}
	}
	return m, nil
}

// find returns an artifact, not verified. One whose files have no paths is unpacked to the folder of artifacts at root.
func (l layer) find(key Key, root string) (*Artifact, error) {
	m, err := l.manifest(key)
	if err != nil {
		return nil, err
	}
	if l.folder != "" {
		return &Artifact{key, l.dir(key), m}, nil
	}
	source, err := l.files(key)
	if err != nil {
		return nil, err
	}
	if err := copyArtifact(source, m, root); err != nil {
		var damaged *Damaged
		if errors.As(err, &damaged) {
			damaged.Dir = l.dir(key)
			return nil, damaged
		}
		return nil, fmt.Errorf("unpack the artifact %s to %s: %w", key.short(), root, err)
	}
	return &Artifact{key, placeOf(root, key), m}, nil
}

// files are those of an artifact.
func (l layer) files(key Key) (fs.FS, error) {
	return fs.Sub(l.system, path.Join(string(key[:2]), string(key)))
}

// verify reads all files of an artifact where they lie.
func (l layer) verify(key Key) error {
	m, err := l.manifest(key)
	if err != nil {
		return err
	}
	files, err := l.files(key)
	if err != nil {
		return err
	}
	return verify(files, m, l.dir(key))
}

// keys lists the layer's artifacts, sorted.
func (l layer) keys() ([]Key, error) {
	found, err := fs.Glob(l.system, "[0-9a-f][0-9a-f]/*")
	var keys []Key
	for _, place := range found {
		if key := Key(path.Base(place)); key.check() == nil && place[:2] == string(key[:2]) {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// Shipped puts a read-only layer of artifacts below the store: what the store lacks, Get and Do look for there.
// [Store.Export] makes such layers. What is found is unpacked into the store, because the files of an artifact have
// paths.
func Shipped(system fs.FS) Option {
	return func(s *Store) { s.shipped = append(s.shipped, layer{system, ""}) }
}

// ShippedFolder is [Shipped] for a folder, whose files are used where they lie.
func ShippedFolder(folder string) Option {
	return func(s *Store) { s.shipped = append(s.shipped, folderLayer(folder)) }
}

// Export copies an artifact into a folder that can become a [Shipped] layer of other stores.
func (s *Store) Export(key Key, folder string) error {
	artifact, err := s.Get(key)
	if err != nil {
		return err
	}
	if err := copyArtifact(os.DirFS(artifact.Dir), artifact.Manifest, folder); err != nil {
		return fmt.Errorf("export the artifact %s to %s: %w", key.short(), folder, err)
	}
	return nil
}

// copyArtifact copies an artifact out of a file system, verifies the copy, and publishes it in the folder of artifacts
// at root. One that is there already stays.
func copyArtifact(source fs.FS, m Manifest, root string) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(root, ".copy-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // gone after the rename
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	for name := range m.Files {
		if err := checkName(name); err != nil {
			return err
		}
		if err := copyFile(source, name, filepath.Join(temporary, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	if err := verify(os.DirFS(temporary), m, temporary); err != nil {
		return err
	}
	if _, err := seal(temporary); err != nil {
		return err
	}
	if err := copyFile(source, manifestName, filepath.Join(temporary, manifestName)); err != nil {
		return err
	}
	return publish(temporary, placeOf(root, m.Key))
}

// copyFile copies a file. One that the source lacks is left to the verification of the copy.
func copyFile(source fs.FS, name, path string) error {
	file, err := source.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeFile(path, file)
}
