package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A Shelf is a read-only set of artifacts.
type Shelf interface {
	// Get returns an artifact, or the error [ErrAbsent] or [Damaged].
	Get(key Key) (*Artifact, error)
	Keys() ([]Key, error)
}

// Above places the store above shelves: Get and Do also look for artifacts on these shelves.
func Above(shelves ...Shelf) Option {
	return func(s *Store) { s.below = append(s.below, shelves...) }
}

// verifiedArtifact caches a verified artifact. Its lock makes other goroutines wait while one verifies.
type verifiedArtifact struct {
	sync.Mutex
	artifact *Artifact
}

// Get returns an artifact, [ErrAbsent] or [Damaged]. At its first call it compares the SHA-256 of every file in the
// store's folder with what was stored. Artifacts on a shelf are read in place; [Store.Verify] verifies them, too. An
// artifact of other machines is fetched, see [Shared].
func (s *Store) Get(key Key) (*Artifact, error) { return s.get(key, s.find) }

// Kept is like [Store.Get], but fetches no artifact of other machines.
func (s *Store) Kept(key Key) (*Artifact, error) { return s.get(key, s.findKept) }

func (s *Store) get(key Key, find func(Key) (*Artifact, error)) (*Artifact, error) {
	if err := key.check(); err != nil {
		return nil, err
	}
	k := s.knownOf(key)
	k.Lock()
	defer k.Unlock()
	if k.artifact != nil {
		if k.artifact.Dir == "" {
			return k.artifact, nil
		}
		if _, err := os.Stat(filepath.Join(k.artifact.Dir, manifestName)); err == nil {
			return k.artifact, nil
		}
		k.artifact = nil // another process has removed it
	}
	artifact, err := whole(find(key))
	var damaged *Damaged
	if errors.As(err, &damaged) {
		// It may have been removed or remade while it was read. The second look finds a consistent state.
		artifact, err = whole(find(key))
	}
	if err != nil {
		return nil, err
	}
	k.artifact = artifact
	return artifact, nil
}

// Local returns an artifact like [Store.Get], for callers that need paths. It copies an artifact without a folder into
// the store, except for tables, which [Artifact.ReadTable] reads in place.
func (s *Store) Local(key Key) (*Artifact, error) {
	artifact, err := s.Get(key)
	if err != nil || artifact.Dir != "" {
		return artifact, err
	}
	k := s.knownOf(key)
	k.Lock()
	defer k.Unlock()
	local := *artifact
	if local.Dir, err = s.copyOut(artifact); err != nil {
		return nil, fmt.Errorf("copy %s to %s: %w", artifact.place(), s.folder, err)
	}
	return &local, nil
}

// whole verifies an artifact that was found.
func whole(artifact *Artifact, err error) (*Artifact, error) {
	if err == nil && artifact.Dir != "" {
		err = artifact.verify()
	}
	return artifact, err
}

func (s *Store) knownOf(key Key) *verifiedArtifact {
	value, _ := s.known.LoadOrStore(key, new(verifiedArtifact))
	return value.(*verifiedArtifact)
}

// Shelves returns the store's own artifacts, if it is made, followed by the shelves below the store.
func (s *Store) Shelves() []Shelf {
	if !s.made() {
		return s.below
	}
	return append([]Shelf{foldersBelow(s.artifacts())}, s.below...)
}

// find looks for an artifact in the store, then on the shelves, and fetches it from other machines.
func (s *Store) find(key Key) (*Artifact, error) {
	artifact, err := s.findKept(key)
	if s.shared == nil || !errors.Is(err, ErrAbsent) {
		return artifact, err
	}
	ctx := context.Background()
	there, problem := s.shared.has(ctx, key)
	switch {
	case problem != nil:
		return nil, problem
	case !there:
		return nil, err
	}
	return s.fetch(ctx, key)
}

// findKept looks for an artifact in the store and then on the shelves.
func (s *Store) findKept(key Key) (*Artifact, error) {
	for _, shelf := range s.Shelves() {
		artifact, err := shelf.Get(key)
		if !errors.Is(err, ErrAbsent) {
			return artifact, err
		}
	}
	return nil, fmt.Errorf("%w: %s in %s", ErrAbsent, key.short(), s.folder)
}

// folders is a [Shelf] with one folder per artifact.
type folders struct {
	system fs.FS
	root   string
}

func foldersBelow(root string) folders { return folders{os.DirFS(root), root} }

// Get returns an artifact without verifying it.
func (f folders) Get(key Key) (*Artifact, error) {
	m, err := f.manifest(key)
	if err != nil {
		return nil, err
	}
	return folderArtifact(placeOf(f.root, key), m), nil
}

func (f folders) manifest(key Key) (Manifest, error) {
	name := path.Join(string(key[:2]), string(key))
	content, err := fs.ReadFile(f.system, path.Join(name, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(f.system, name); err != nil {
			return Manifest{}, ErrAbsent
		}
		// The folder may have been published between the two calls, and is complete then.
		content, err = fs.ReadFile(f.system, path.Join(name, manifestName))
		if errors.Is(err, fs.ErrNotExist) {
			return Manifest{}, &Damaged{key, placeOf(f.root, key), manifestName, "it is missing"}
		}
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read the artifact %s: %w", placeOf(f.root, key), safefile.WithoutPath(err))
	}
	m, err := decodeManifest(content, key)
	if err != nil {
		return Manifest{}, &Damaged{key, placeOf(f.root, key), manifestName, err.Error()}
	}
	return m, nil
}

// Keys returns the keys of the artifacts, sorted.
func (f folders) Keys() ([]Key, error) {
	found, err := fs.Glob(f.system, "[0-9a-f][0-9a-f]/*")
	var keys []Key
	for _, place := range found {
		if key := Key(path.Base(place)); key.check() == nil && place[:2] == string(key[:2]) {
			keys = append(keys, key)
		}
	}
	return keys, err
}
