package profilefolder

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

// Kind is the layout of a data set of people.
type Kind string

// The known layouts.
const (
	Rows     Kind = "records"
	FIUBench Kind = "fiubench"
	MLLMU    Kind = "mllmu"
)

// Kinds lists the known layouts.
var Kinds = []Kind{Rows, FIUBench, MLLMU}

// Name returns the name under which the store registers a folder with this layout.
func (k Kind) Name() string { return "people/" + string(k) }

// Title returns the usual name of the data set with this layout.
func (k Kind) Title() string {
	switch k {
	case FIUBench:
		return "FIUBench"
	case MLLMU:
		return "MLLMU-Bench"
	}
	return "Records"
}

// Person is a person about whom the data set asks.
type Person struct {
	ID string // the data set's own ID
	profile.Profile
	About string   // caption or biography, if there is one
	Sets  []string // the data set's sets with this person, such as "forget5"
}

// Record is a question with all keywords of the answer. The embedded record's Keyword is the first one.
type Record struct {
	profile.Record
	Keywords []string
}

// Folder is an opened data set. It is safe for concurrent use. Close it after reading the last picture.
type Folder struct {
	Dir     string
	Kind    Kind
	People  []Person
	Records []Record
	Dropped []string // what was left out and why

	pictures *pictures
	tables   []string // paths of the tables read
	ids      map[string]int
}

// Open reads the tables of the data set in a folder. It opens no pictures; [Check] does.
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

// person returns the index of the person with an ID, who is added if unknown.
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

// Set converts the people and records for package profile. It keeps their order.
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

// Files returns the paths of all tables and pictures, relative to Dir and with slashes as separators.
func (f *Folder) Files() ([]string, error) {
	paths := slices.Clone(f.tables)
	for _, places := range f.pictures.places {
		for _, at := range places {
			paths = append(paths, at.path)
		}
	}
	return datafolder.Relative(f.Dir, paths)
}

// Close closes the Parquet files from which pictures are read.
func (f *Folder) Close() error { return f.pictures.cells.Close() }
