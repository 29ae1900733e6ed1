package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

var (
	// ErrAbsent says that an artifact has not been made.
	ErrAbsent = errors.New("the artifact is not in the store")
	// ErrBusy says that another process, or another goroutine, makes the artifact at this moment.
	ErrBusy = errors.New("the artifact is being made by another process")
	// ErrTable says that what was asked for as a file is rows of a table.
	ErrTable = errors.New("it is part of a larger table, and has no bytes of its own")
)

// Damaged says that an artifact is not what was stored. [Store.Repair] moves it aside.
type Damaged struct {
	Key    Key
	Dir    string // or another place, where the artifact is not in a folder of its own
	File   string // within Dir
	Reason string
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("the artifact %s is damaged: %s: %s; move the folder away and it is made again", d.Dir, d.File,
		d.Reason)
}

// An Artifact is the files that a stage made. Nothing in them may be changed.
type Artifact struct {
	Key      Key
	Dir      string // the folder of the files; "" where they have none, see [Store.Local]
	Manifest Manifest
	content  Content
}

// Content is the files of an artifact, wherever they lie.
type Content interface {
	// Place is where they lie, for people.
	Place() string
	// Locate says where one of them lies.
	Locate(name string) (Location, error)
	// Open opens one of them; the error is [ErrTable] for what [Content.ReadTable] alone reads.
	Open(name string) (Opened, error)
	// ReadTable reads the named columns of a Parquet file among them, or all where none is named.
	ReadTable(name string, columns ...string) (*safefile.Frame, error)
	// Verify compares one of them with what was stored. The reason says what is different.
	Verify(name string, stored File) (reason string, err error)
}

// Location is where a file of an artifact lies: a file of its own, or some rows of a larger table.
type Location struct {
	Path  string
	First int // row of the table
	// Labels are columns of the table, each with the one value that all these rows have and that together no others
	// have; none of a file of its own.
	Labels []safefile.Column
}

// Opened is an open file of an artifact.
type Opened interface {
	io.ReadCloser
	io.ReaderAt
}

// NewArtifact is an artifact on a [Shelf].
func NewArtifact(m Manifest, content Content) *Artifact {
	return &Artifact{Key: m.Key, Manifest: m, content: content}
}

// Path is where a file of the artifact lies. Names have slashes between folders. It panics where the artifact has no
// such file, because what a stage makes is known, and where its files have no paths.
func (a *Artifact) Path(name string) string {
	if err := a.check(name); err != nil {
		panic(err)
	}
	if a.Dir == "" {
		panic(fmt.Sprintf("%s of %s has no path: Store.Local gives it one", name, a.place()))
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

func (a *Artifact) place() string { return a.content.Place() }

// Locate says where a file of the artifact lies.
func (a *Artifact) Locate(name string) (Location, error) {
	if err := a.check(name); err != nil {
		return Location{}, err
	}
	return a.content.Locate(name)
}

// Open opens a file of the artifact.
func (a *Artifact) Open(name string) (Opened, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return a.content.Open(name)
}

// ReadFile reads a file of the artifact.
func (a *Artifact) ReadFile(name string) ([]byte, error) {
	file, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// ReadTable reads the named columns of a Parquet file of the artifact, or all where none is named.
func (a *Artifact) ReadTable(name string, columns ...string) (*safefile.Frame, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return a.content.ReadTable(name, columns...)
}

// verify compares every file with what was stored.
func (a *Artifact) verify() error {
	for _, name := range a.Names() {
		reason, err := "this is no name of a file", error(nil)
		if CheckName(name) == nil {
			reason, err = a.content.Verify(name, a.Manifest.Files[name])
		}
		if err != nil {
			return fmt.Errorf("verify the artifact %s: %w", a.Key.short(), err)
		}
		if reason != "" {
			return &Damaged{a.Key, a.place(), name, reason}
		}
	}
	return nil
}

// folder is the content of an artifact that has one of its own.
type folder string

// inFolder is the artifact in a folder.
func inFolder(dir string, m Manifest) *Artifact { return &Artifact{m.Key, dir, m, folder(dir)} }

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) Place() string { return string(f) }

func (f folder) Locate(name string) (Location, error) { return Location{Path: f.path(name)}, nil }

func (f folder) Open(name string) (Opened, error) { return os.Open(f.path(name)) }

func (f folder) ReadTable(name string, columns ...string) (*safefile.Frame, error) {
	return safefile.ReadParquet(f.path(name), columns...)
}

func (f folder) Verify(name string, stored File) (reason string, err error) {
	file, err := os.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "it is missing", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	return stored.Compare(file)
}

// CheckName refuses names that lead out of an artifact or that not every system can hold.
func CheckName(name string) error {
	if !fs.ValidPath(name) || name == "." || name == manifestName || strings.ContainsAny(name, `\:`) {
		return fmt.Errorf("%.80q is no name of an artifact's file", name)
	}
	return nil
}

// FilesIn is an artifact of the files in a folder, which no store has made and nothing is known of but their names.
func FilesIn(dir string) (*Artifact, error) {
	m := Manifest{Files: map[string]File{}}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			m.Files[name] = File{}
		}
		return err
	})
	return inFolder(dir, m), err
}
