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
	"syscall"

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
	shared *shared // nil if the store is not shared through objects
	madeBy device
	known  sync.Map // maps Key to *verifiedArtifact
	denied bool     // a folder that may not be read counts as an absent store
}

// device names the backend and the instruction set that compute. The store cannot detect them.
type device struct{ backend, simd string }

// An Option changes how [Open] opens a store.
type Option func(*Store)

// MadeBy sets the backend and the instruction set that manifests of new artifacts record. [Work.MadeBy] overrides them.
func MadeBy(backend, simd string) Option {
	return func(s *Store) { s.madeBy = device{backend, simd} }
}

// EmptyIfDenied makes [Open] treat a folder that may not be read as an absent store, which is empty.
func EmptyIfDenied() Option { return func(s *Store) { s.denied = true } }

// Open opens the store in a folder. An absent store is empty; the first write creates it. A read-only folder can still
// be read.
func Open(folder string, options ...Option) (*Store, error) {
	s := &Store{}
	for _, option := range options {
		option(s)
	}
	if _, err := Examine(folder); err != nil && !(s.denied && errors.Is(err, fs.ErrPermission)) {
		return nil, err
	}
	var err error
	if s.folder, err = filepath.Abs(folder); err != nil {
		return nil, fmt.Errorf("open the store %s: %w", folder, err)
	}
	return s, nil
}

// made reports whether the store's folder exists and may be read. Another process may have made it since it was opened.
func (s *Store) made() bool {
	_, err := os.Stat(filepath.Join(s.folder, markerName))
	return err == nil
}

// Make creates the store's folder, unless it exists. Every method that writes calls it first.
func (s *Store) Make() error {
	if s.made() {
		return nil
	}
	if made, err := Examine(s.folder); made || err != nil {
		return err
	}
	content, err := json.Marshal(marker{formatName, formatVersion})
	if err == nil {
		err = os.MkdirAll(s.folder, 0o755)
	}
	if err == nil {
		err = writeContent(filepath.Join(s.folder, markerName), append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("make the store %s: %w; choose another with %s", s.folder, safefile.WithoutPath(err),
			HomeVariable)
	}
	return nil
}

// Folder returns the store's folder.
func (s *Store) Folder() string { return s.folder }

// place describes where the store's artifacts are, for messages.
func (s *Store) place() string {
	if s.shared == nil {
		return s.folder
	}
	return s.folder + ", shared through " + s.shared.Name()
}

// Examine reports whether a folder is a store. It returns an error if the folder cannot be one: a store of another
// format, or a folder with other files. It writes nothing.
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
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return false, errors.New("it is not a directory")
	}
	free := checkFree(folder) // checked first, because another process writes the marker first
	content, err := os.ReadFile(filepath.Join(folder, markerName))
	if absent(err) {
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
	if absent(err) {
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

// absent reports whether err says that there is no such file or folder, or no folder where its path needs one.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

func (s *Store) artifacts() string         { return filepath.Join(s.folder, "artifacts") }
func (s *Store) workFolder(key Key) string { return filepath.Join(s.folder, "work", string(key)) }

// placeOf returns an artifact's folder below root.
func placeOf(root string, key Key) string { return filepath.Join(root, string(key[:2]), string(key)) }
