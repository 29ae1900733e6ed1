package publish

import (
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Shelf serves the runs of one or more publications. Several goroutines may use it.
type Shelf struct {
	system fs.FS
	name   string // name shown in messages
	load   func() (*catalogue, error)

	mu     sync.Mutex
	opened map[string]*file // open files by path
}

// catalogue holds the content of the tables of all publications.
type catalogue struct {
	records []Record
	at      map[store.Key]int
	folders []string                           // folders of the publications
	parts   map[store.Key]map[string]placement // files of each run, by key and file name
}

// placement is a part with the path of the file that contains it.
type placement struct {
	part
	path string
}

// file is an open file of a publication.
type file struct {
	source io.ReaderAt
	size   int64
	table  func() (*safefile.Table, error)
	zip    func() (*zip.Reader, error)
}

// Open opens the publications in a file system: in its root, or in the folders of the root. It reads files only when
// they are needed. If several publications have a run, the first one is used. Messages show name.
func Open(system fs.FS, name string) *Shelf {
	s := &Shelf{system: system, name: name, opened: map[string]*file{}}
	s.load = sync.OnceValues(s.read)
	return s
}

func (s *Shelf) read() (*catalogue, error) {
	c := &catalogue{at: map[store.Key]int{}, parts: map[store.Key]map[string]placement{}}
	found, err := fs.Glob(s.system, "*/"+RunsFile)
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(s.system, RunsFile); err == nil {
		found = append([]string{RunsFile}, found...)
	}
	for _, runs := range found {
		if err := s.add(c, path.Dir(runs)); err != nil {
			return nil, fmt.Errorf("read the publication %s: %w", path.Join(s.name, path.Dir(runs)), err)
		}
		c.folders = append(c.folders, path.Dir(runs))
	}
	return c, nil
}

// add reads the tables of a publication.
func (s *Shelf) add(c *catalogue, folder string) error {
	runs, err := readFile(s.system, path.Join(folder, RunsFile), runFields)
	if err != nil {
		return err
	}
	parts, err := readFile(s.system, path.Join(folder, FilesFile), partFields)
	if err != nil {
		return err
	}
	modules, err := readFile(s.system, path.Join(folder, BuildsFile), moduleFields)
	if err != nil {
		return err
	}
	builds := map[string]map[string]string{}
	for _, m := range modules {
		if builds[m.build] == nil {
			builds[m.build] = map[string]string{}
		}
		builds[m.build][m.path] = m.version
	}
	fresh := map[store.Key]bool{}
	for _, run := range runs {
		key := run.Manifest.Key
		if _, twice := c.at[key]; twice {
			continue
		}
		fresh[key] = true
		run.Manifest.Modules, run.Manifest.Files = builds[run.build], map[string]store.File{}
		c.at[key], c.parts[key] = len(c.records), map[string]placement{}
		c.records = append(c.records, run)
	}
	for _, p := range parts {
		if !fresh[p.key] {
			continue
		}
		at := path.Join(folder, p.file)
		if !fs.ValidPath(p.file) || store.CheckName(p.name) != nil {
			return fmt.Errorf("%s: %.80q in %.80q is not a valid file name", FilesFile, p.name, p.file)
		}
		c.parts[p.key][p.name] = placement{p, at}
		c.records[c.at[p.key]].Manifest.Files[p.name] = p.stored
	}
	return nil
}

func readFile[T any](system fs.FS, name string, fields []field[T]) ([]T, error) {
	source, err := system.Open(name)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	var content io.Reader = source
	if path.Ext(name) == ".gz" {
		if content, err = gzip.NewReader(source); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	rows, err := readTable(content, fields)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// Get returns a run as an artifact, or [store.ErrAbsent] if it is not published.
func (s *Shelf) Get(key store.Key) (*store.Artifact, error) {
	c, err := s.load()
	if err != nil {
		return nil, err
	}
	at, published := c.at[key]
	if !published {
		return nil, store.ErrAbsent
	}
	return store.NewArtifact(c.records[at].Manifest, &content{s, c.parts[key]}), nil
}

// Keys returns the keys of the runs, sorted.
func (s *Shelf) Keys() ([]store.Key, error) {
	c, err := s.load()
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(c.at)), nil
}

// Records returns the records of all runs in publication order.
func (s *Shelf) Records() ([]Record, error) {
	c, err := s.load()
	if err != nil {
		return nil, err
	}
	return c.records, nil
}

// Folders returns the folders of the publications. The folder "." is the root.
func (s *Shelf) Folders() ([]string, error) {
	c, err := s.load()
	if err != nil {
		return nil, err
	}
	return c.folders, nil
}

// open opens a file of a publication, or returns it if it is open already.
func (s *Shelf) open(name string) (*file, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, known := s.opened[name]; known {
		return f, nil
	}
	source, err := s.system.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := source.Stat()
	if err != nil {
		return nil, err
	}
	random, is := source.(io.ReaderAt)
	if !is {
		return nil, errors.New("it is in a file system whose files cannot be read in parts")
	}
	f := &file{source: random, size: info.Size()}
	f.table = sync.OnceValues(func() (*safefile.Table, error) {
		return safefile.OpenTable(path.Join(s.name, name), f.source, f.size)
	})
	f.zip = sync.OnceValues(func() (*zip.Reader, error) { return zip.NewReader(f.source, f.size) })
	s.opened[name] = f
	return f, nil
}

// labels returns the names of the table's label columns, which identify the run of a row.
func labels(t *safefile.Table) []string { return strings.Fields(t.Note(labelsNote)) }

// labelsNote is the key in the file's metadata under which the label columns are listed.
const labelsNote = "labels"
