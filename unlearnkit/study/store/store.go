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

// A Store is a folder of artifacts. It may be used by several goroutines, and its folder by several processes, at once.
type Store struct {
	folder string
	below  []Shelf
	madeBy madeBy
	known  sync.Map // Key → *known: what was verified
}

// madeBy is what computes, which the store cannot know by itself.
type madeBy struct{ backend, simd string }

// An Option changes how [Open] opens a store.
type Option func(*Store)

// MadeBy gives the device that computes and its instruction set, for the manifests of what is made. [Work.MadeBy]
// overrides it.
func MadeBy(backend, simd string) Option {
	return func(s *Store) { s.madeBy = madeBy{backend, simd} }
}

// Open opens the store in a folder and makes it where there is nothing yet. A folder that cannot be written to serves
// what it has.
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
		return nil, fmt.Errorf("make the store %s: %w; give another folder by %s", folder, safefile.WithoutPath(err),
			HomeVariable)
	}
	return s, nil
}

// Folder is where the store lies.
func (s *Store) Folder() string { return s.folder }

// Examine says whether a folder is a store, and refuses one that can be none: a store of another format, or a folder
// with other things in it. It writes nothing.
func Examine(folder string) (made bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("open the store %s: %w; give another folder by %s", folder, safefile.WithoutPath(err),
				HomeVariable)
		}
	}()
	if strings.TrimSpace(folder) == "" {
		return false, errors.New("a folder without a name")
	}
	free := checkFree(folder) // first: the marker is what another process makes first
	content, err := os.ReadFile(filepath.Join(folder, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, free
	}
	if err != nil {
		return false, err
	}
	var m marker
	if err := json.Unmarshal(content, &m); err != nil || m.Format != formatName {
		return false, fmt.Errorf("its %s is not that of a store", markerName)
	}
	if m.Version != formatVersion {
		return false, fmt.Errorf("it has format %d, this program knows format %d", m.Version, formatVersion)
	}
	return true, nil
}

// checkFree refuses a folder in which a store would lie among other things. Plugins of devices lie in the same folder,
// and hidden files are nobody's results.
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
			return fmt.Errorf("it is no store, it has %.80q in it", name)
		}
	}
	return nil
}

func (s *Store) artifacts() string         { return filepath.Join(s.folder, "artifacts") }
func (s *Store) workFolder(key Key) string { return filepath.Join(s.folder, "work", string(key)) }

// placeOf is an artifact's folder below a folder of artifacts.
func placeOf(root string, key Key) string { return filepath.Join(root, string(key[:2]), string(key)) }
