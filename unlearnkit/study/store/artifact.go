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
	// ErrAbsent is returned if an artifact has not been made.
	ErrAbsent = errors.New("the artifact is not in the store")
	// ErrBusy is returned if another process or goroutine is making the artifact.
	ErrBusy = errors.New("the artifact is being made by another process")
	// ErrTable is returned if a requested file consists of rows of a larger table.
	ErrTable = errors.New("it consists of rows of a larger table and cannot be opened as a file")
)

// Damaged is the error for an artifact that differs from what was stored. [Store.Repair] moves it aside.
type Damaged struct {
	Key    Key
	Dir    string // folder of the artifact, or another description of where it is stored
	File   string // path of the damaged file within Dir
	Reason string
}

func (d *Damaged) Error() string {
	again := "move the folder away"
	if strings.Contains(d.Dir, "://") {
		again = "move it aside with unlearnlab data check --repair"
	}
	return fmt.Sprintf("the artifact %s is damaged: %s: %s; %s and it is made again", d.Dir, d.File, d.Reason, again)
}

// An Artifact is the set of files that a stage made. The files must not change.
type Artifact struct {
	Key      Key
	Dir      string // folder of the files; "" if they are stored elsewhere, see [Store.Local]
	Manifest Manifest
	content  Content
}

// Content gives access to the files of an artifact wherever they are stored.
type Content interface {
	// Place describes where the files are stored, for messages.
	Place() string
	// Locate returns where a file is stored.
	Locate(name string) (Location, error)
	// Open opens a file. It returns [ErrTable] for files that only [Content.ReadTable] can read.
	Open(name string) (Opened, error)
	// ReadTable reads the named columns of a Parquet file, or all columns if no names are given.
	ReadTable(name string, columns ...string) (*safefile.Frame, error)
	// Verify compares a file with what was stored. The reason describes a difference; it is "" if the file is intact.
	Verify(name string, stored File) (reason string, err error)
}

// Location states where an artifact's file is stored: in a separate file, or in rows of a larger table.
type Location struct {
	Path  string
	First int // index of the first row in the table
	// Labels holds the columns of the table that identify these rows, with the rows' values. It is empty for a separate
	// file.
	Labels []safefile.Column
}

// Opened is an open file of an artifact.
type Opened interface {
	io.ReadCloser
	io.ReaderAt
}

// NewArtifact returns an artifact whose files a [Shelf] provides.
func NewArtifact(m Manifest, content Content) *Artifact {
	return &Artifact{Key: m.Key, Manifest: m, content: content}
}

// Path returns the path of a file of the artifact. In name, slashes separate folders. Path panics if the artifact has
// no such file, because callers know what a stage makes. It also panics if the files have no paths.
func (a *Artifact) Path(name string) string {
	if err := a.check(name); err != nil {
		panic(err)
	}
	if a.Dir == "" {
		panic(fmt.Sprintf("%s of %s has no path: Store.Local gives it one", name, a.place()))
	}
	return filepath.Join(a.Dir, filepath.FromSlash(name))
}

// Has reports whether the artifact has a file of that name.
func (a *Artifact) Has(name string) bool { _, ok := a.Manifest.Files[name]; return ok }

// Names returns the names of the artifact's files, sorted.
func (a *Artifact) Names() []string { return slices.Sorted(maps.Keys(a.Manifest.Files)) }

func (a *Artifact) check(name string) error {
	if !a.Has(name) {
		return fmt.Errorf("the artifact %s of %s has no file %.80q, it has %.400s", a.Key.short(), a.Manifest.Stage,
			name, strings.Join(a.Names(), ", "))
	}
	return nil
}

func (a *Artifact) place() string { return a.content.Place() }

// Locate returns where a file of the artifact is stored.
func (a *Artifact) Locate(name string) (Location, error) {
	if err := a.check(name); err != nil {
		return Location{}, err
	}
	return a.content.Locate(name)
}

// Open opens a file of the artifact for reading.
func (a *Artifact) Open(name string) (Opened, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return a.content.Open(name)
}

// ReadFile returns the content of a file of the artifact.
func (a *Artifact) ReadFile(name string) ([]byte, error) {
	file, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// ReadTable reads the named columns of a Parquet file of the artifact, or all columns if no names are given.
func (a *Artifact) ReadTable(name string, columns ...string) (*safefile.Frame, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	return a.content.ReadTable(name, columns...)
}

// ReadRows reads a table of an artifact into structs, as [safefile.RowsOf] does.
func ReadRows[T any](a *Artifact, name string) ([]T, error) {
	frame, err := a.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return safefile.RowsOf[T](frame)
}

// verify compares the size and the SHA-256 of every file with the manifest. For rows of a larger table, it compares the
// SHA-256 of their values.
func (a *Artifact) verify() error {
	for _, name := range a.Names() {
		reason, err := "this is not a valid file name", error(nil)
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

// folder is the [Content] of an artifact that has its own folder.
type folder string

func folderArtifact(dir string, m Manifest) *Artifact { return &Artifact{m.Key, dir, m, folder(dir)} }

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

// CheckName returns an error for file names that point outside an artifact or that some systems cannot store.
func CheckName(name string) error {
	if !fs.ValidPath(name) || name == "." || name == manifestName || strings.ContainsAny(name, `\:`) {
		return fmt.Errorf("%.80q is not a valid name for an artifact's file", name)
	}
	return nil
}

// FilesIn returns the files of a folder as an artifact that is in no store. Only the names of the files are known.
func FilesIn(dir string) (*Artifact, error) {
	m := Manifest{Files: map[string]File{}}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			m.Files[name] = File{}
		}
		return err
	})
	return folderArtifact(dir, m), err
}
