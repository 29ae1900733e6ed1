package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const (
	formatName    = "unlearnlab store"
	formatVersion = 1
	markerName    = "store.json"
	settingsName  = "settings.json"
)

// marker is the content of store.json.
type marker struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// A Store is a folder of artifacts. Several goroutines and several processes may use it at once.
type Store struct {
	folder string
	below  []Shelf
	madeBy device
	known  sync.Map // maps Key to *verifiedArtifact
}

// device names the backend and the instruction set that compute. The store cannot detect them.
type device struct{ backend, simd string }

// An Option changes how [Open] opens a store.
type Option func(*Store)

// MadeBy sets the backend and the instruction set that manifests of new artifacts record. [Work.MadeBy] overrides them.
func MadeBy(backend, simd string) Option {
	return func(s *Store) { s.madeBy = device{backend, simd} }
}

// Open opens the store in a folder, or creates it. A read-only folder can still be read.
func Open(folder string, options ...Option) (*Store, error) {
	made, err := Examine(folder)
	if err != nil {
		return nil, err
	}
	s := &Store{}
	if s.folder, err = filepath.Abs(folder); err != nil {
		return nil, fmt.Errorf("open the store %s: %w", folder, err)
	}
	for _, option := range options {
		option(s)
	}
	if made {
		return s, nil
	}
	content, err := json.Marshal(marker{formatName, formatVersion})
	if err == nil {
		err = os.MkdirAll(s.folder, 0o755)
	}
	if err == nil {
		err = writeContent(filepath.Join(s.folder, markerName), append(content, '\n'))
	}
	if err != nil {
		return nil, fmt.Errorf("make the store %s: %w; choose another with %s", folder, safefile.WithoutPath(err),
			HomeVariable)
	}
	return s, nil
}

// Folder returns the store's folder.
func (s *Store) Folder() string { return s.folder }

// Examine reports whether a folder is a store. It returns an error if the folder contains a store of another format or
// other files. It writes nothing.
func Examine(folder string) (made bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("open the store %s: %w; choose another with %s", folder, safefile.WithoutPath(err),
				HomeVariable)
		}
	}()
	if strings.TrimSpace(folder) == "" {
		return false, errors.New("a folder without a name")
	}
	free := checkFree(folder) // checked first, because another process writes the marker first
	content, err := os.ReadFile(filepath.Join(folder, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, free
	}
	if err != nil {
		return false, err
	}
	var m marker
	if err := json.Unmarshal(content, &m); err != nil || m.Format != formatName {
		return false, fmt.Errorf("its %s does not belong to a store", markerName)
	}
	if m.Version != formatVersion {
		return false, fmt.Errorf("it has format %d, this program knows format %d", m.Version, formatVersion)
	}
	return true, nil
}

// checkFree returns an error if the folder has files that do not belong to a store. It allows device plugins and hidden
// files.
func checkFree(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "plugins" && !strings.HasPrefix(name, ".") {
			return fmt.Errorf("it is not a store: it contains %.80q", name)
		}
	}
	return nil
}

func (s *Store) artifacts() string         { return filepath.Join(s.folder, "artifacts") }
func (s *Store) workFolder(key Key) string { return filepath.Join(s.folder, "work", string(key)) }

// placeOf returns an artifact's folder below root.
func placeOf(root string, key Key) string { return filepath.Join(root, string(key[:2]), string(key)) }
