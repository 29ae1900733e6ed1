package profilefolder

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

// Kind is a layout of data sets of people.
type Kind string

// The layouts that are known.
const (
	Rows     Kind = "records"
	FIUBench Kind = "fiubench"
	MLLMU    Kind = "mllmu"
)

// Kinds are all of them.
var Kinds = []Kind{Rows, FIUBench, MLLMU}

// Name is under which name the store remembers where a data set of the kind lies.
func (k Kind) Name() string { return "people/" + string(k) }

// Title is what people call it.
func (k Kind) Title() string {
	switch k {
	case FIUBench:
		return "FIUBench"
	case MLLMU:
		return "MLLMU-Bench"
	}
	return "Records"
}

// Person is somebody whom questions are about.
type Person struct {
	ID string // as the data set has it
	profile.Profile
	About string   // a caption or a biography, where there is one
	Sets  []string // named by the data set that the person is in, such as "forget5"
}

// Record is a question with all the keywords of its answer; the one of its own is the first.
type Record struct {
	profile.Record
	Keywords []string
}

// Folder is a data set on disk. Close it when no more pictures are wanted. It may be used by several goroutines.
type Folder struct {
	Dir     string
	Kind    Kind
	People  []Person
	Records []Record
	Dropped []string // what was left out, and why

	pictures *pictures
	tables   []string // paths
	ids      map[string]int
}

// Open reads the tables of the data set in a folder. Pictures are not looked at; [Check] does that.
func Open(dir string) (*Folder, error) {
	kind, err := layouts.Of(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Kind: kind, ids: map[string]int{}, pictures: &pictures{dir: dir}}
	switch kind {
	case FIUBench:
		err = f.readFIUBench()
	case MLLMU:
		err = f.readMLLMU()
	default:
		err = f.readRows()
	}
	if err != nil {
		return nil, err
	}
	if len(f.Records) == 0 {
		return nil, fmt.Errorf("read %s: it has no questions", dir)
	}
	for i := range f.People {
		f.People[i].Pictures = len(f.pictures.places[i])
	}
	return f, nil
}

// person is the place of somebody among the people, who is added if new.
func (f *Folder) person(id string) int {
	at, known := f.ids[id]
	if !known {
		at = len(f.People)
		f.ids[id] = at
		f.People = append(f.People, Person{ID: id, Profile: profile.Profile{Facts: map[profile.Attribute]string{}}})
		f.pictures.places = append(f.pictures.places, nil)
	}
	return at
}

// Set is the people and records as package profile has them, in the same order.
func (f *Folder) Set() *profile.Set {
	s := &profile.Set{}
	for _, p := range f.People {
		s.People = append(s.People, p.Profile)
	}
	for _, r := range f.Records {
		s.Records = append(s.Records, r.Record)
	}
	return s
}

// Files are all files that the set is read from, of tables and of pictures, by their paths from Dir with slashes.
func (f *Folder) Files() ([]string, error) {
	paths := slices.Clone(f.tables)
	for _, places := range f.pictures.places {
		for _, at := range places {
			paths = append(paths, at.path)
		}
	}
	return datafolder.Relative(f.Dir, paths)
}

// Close gives the files back that are open to read pictures from.
func (f *Folder) Close() error { return f.pictures.cells.Close() }
