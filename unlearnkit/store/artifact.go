package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

var (
	// ErrAbsent says that an artifact has not been made.
	ErrAbsent = errors.New("the artifact is not in the store")
	// ErrBusy says that another process, or another goroutine, makes the artifact at this moment.
	ErrBusy = errors.New("the artifact is being made by another process")
)

// Damaged says that an artifact is not what was stored. [Store.Repair] moves it aside.
type Damaged struct {
	Key    Key
	Dir    string
	File   string // within Dir
	Reason string
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("the artifact %s is damaged: %s: %s; move the folder away and it is made again", d.Dir, d.File,
		d.Reason)
}

// An Artifact is the files that a stage made, whole and verified. Nothing in its folder may be changed.
type Artifact struct {
	Key      Key
	Dir      string
	Manifest Manifest
}

// Path is where a file of the artifact lies. Names have slashes between folders. It panics where the artifact has no
// such file, because what a stage makes is known.
func (a *Artifact) Path(name string) string {
	if err := a.check(name); err != nil {
		panic(err)
	}
	return filepath.Join(a.Dir, filepath.FromSlash(name))
}

// Has says whether the artifact has a file of that name.
func (a *Artifact) Has(name string) bool { _, ok := a.Manifest.Files[name]; return ok }

// Names are the names of the artifact's files, sorted.
func (a *Artifact) Names() []string { return slices.Sorted(maps.Keys(a.Manifest.Files)) }

func (a *Artifact) check(name string) error {
	if !a.Has(name) {
		return fmt.Errorf("the artifact %s of %s has no file %.80q, it has %.400s", a.Key.short(), a.Manifest.Stage,
			name, strings.Join(a.Names(), ", "))
	}
	return nil
}

// Open opens a file of the artifact.
func (a *Artifact) Open(name string) (*os.File, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return os.Open(a.Path(name))
}

// ReadFile reads a file of the artifact.
func (a *Artifact) ReadFile(name string) ([]byte, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return os.ReadFile(a.Path(name))
}

// known is an artifact that was verified; its lock lets one goroutine verify it for all.
type known struct {
	sync.Mutex
	artifact *Artifact
}

// Get returns an artifact, [ErrAbsent] or [Damaged]. The first time it compares the SHA-256 of every file with what was
// stored.
func (s *Store) Get(key Key) (*Artifact, error) {
	if err := key.check(); err != nil {
		return nil, err
	}
	k := s.knownOf(key)
	k.Lock()
	defer k.Unlock()
	if k.artifact != nil {
		if _, err := os.Stat(filepath.Join(k.artifact.Dir, manifestName)); err == nil {
			return k.artifact, nil
		}
		k.artifact = nil // another process has removed it
	}
	artifact, err := s.findWhole(key)
	var damaged *Damaged
	if errors.As(err, &damaged) {
		// It may have been removed or made again while it was read: then the second look finds one state.
		artifact, err = s.findWhole(key)
	}
	if err != nil {
		return nil, err
	}
	k.artifact = artifact
	return artifact, nil
}

func (s *Store) findWhole(key Key) (*Artifact, error) {
	artifact, err := s.find(key)
	if err != nil {
		return nil, err
	}
	return artifact, verify(os.DirFS(artifact.Dir), artifact.Manifest, artifact.Dir)
}

func (s *Store) knownOf(key Key) *known {
	value, _ := s.known.LoadOrStore(key, new(known))
	return value.(*known)
}

// find looks for an artifact in the store, then in the layers below it.
func (s *Store) find(key Key) (*Artifact, error) {
	for _, l := range s.layers() {
		artifact, err := l.find(key, s.artifacts())
		if !errors.Is(err, ErrAbsent) {
			return artifact, err
		}
	}
	return nil, fmt.Errorf("%w: %s in %s", ErrAbsent, key.short(), s.folder)
}

// verify compares every file of an artifact, which lies in dir, with its manifest.
func verify(system fs.FS, m Manifest, dir string) error {
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		reason, err := verifyFile(system, name, m.Files[name])
		if err != nil {
			return fmt.Errorf("verify the artifact %s: %w", m.Key.short(), err)
		}
		if reason != "" {
			return &Damaged{m.Key, dir, name, reason}
		}
	}
	return nil
}

func verifyFile(system fs.FS, name string, stored File) (reason string, err error) {
	if checkName(name) != nil {
		return "this is no name of a file", nil
	}
	file, err := system.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "it is missing", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	found, err := digest(file)
	switch {
	case err != nil:
		return "", err
	case found.Size != stored.Size:
		return fmt.Sprintf("it has %d bytes, stored were %d", found.Size, stored.Size), nil
	case found.SHA256 != stored.SHA256:
		return fmt.Sprintf("its SHA-256 is %.12s…, stored was %.12s…", found.SHA256, stored.SHA256), nil
	}
	return "", nil
}

func digest(source io.Reader) (File, error) {
	hash := sha256.New()
	size, err := io.Copy(hash, source)
	return File{size, hex.EncodeToString(hash.Sum(nil))}, err
}

// checkName refuses names that lead out of an artifact or that no every system can hold.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || name == manifestName || strings.ContainsAny(name, `\:`) {
		return fmt.Errorf("%.80q is no name of an artifact's file", name)
	}
	return nil
}
