package speechfolder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// Rate is that of the sets' samples: the models of the benchmark take 16 kHz.
const Rate = 16_000

// Kind is a data set.
type Kind string

// The data sets that are known.
const (
	FluentSpeechCommands Kind = "fsc"
	SLURP                Kind = "slurp"
	ITALIC               Kind = "italic"
	German               Kind = "massive-de-DE" // Speech-MASSIVE
	French               Kind = "massive-fr-FR"
)

// Kinds are all of them.
var Kinds = []Kind{FluentSpeechCommands, SLURP, ITALIC, German, French}

// Name is under which name the store remembers where the data set lies.
func (k Kind) Name() string { return "speech/" + string(k) }

// Title is what people call the data set.
func (k Kind) Title() string {
	switch k {
	case FluentSpeechCommands:
		return "Fluent Speech Commands"
	case German, French:
		return "Speech-MASSIVE " + k.locale()
	}
	return strings.ToUpper(string(k))
}

// locale is the folder of one language of Speech-MASSIVE, "" for the other data sets.
func (k Kind) locale() string {
	locale, massive := strings.CutPrefix(string(k), "massive-")
	if !massive {
		return ""
	}
	return locale
}

// Language is that of the data set, as ISO 639-1 has it.
func (k Kind) Language() string {
	switch k {
	case ITALIC:
		return "it"
	case German, French:
		return k.locale()[:2]
	}
	return "en"
}

// Parts is a way to make the parts of a set out of the published ones.
type Parts string

// The ways.
const (
	// Published takes the parts as they are, as the benchmark's runner does. The parts of Speech-MASSIVE share
	// speakers: clips of validation and test by speakers of train are dropped. Those of SLURP share nearly all, so its
	// set is of no use to the benchmark, and [speech.Set.Check] says so.
	Published Parts = "as published"
	// BySpeaker splits all clips anew with [speech.Set.Resplit], no speaker in two parts: SLURP*.
	BySpeaker Parts = "split anew by speaker"
	// HalvedValidation takes one half of validation for the test, as the benchmark's notebooks do for Speech-MASSIVE
	// and ITALIC, and leaves the published test alone. It needs no download of that.
	HalvedValidation Parts = "half of validation for the test"
)

// Parts are the ways that the benchmark's code has for a data set, the one of its runner first.
func (k Kind) Parts() []Parts {
	switch k {
	case FluentSpeechCommands:
		return []Parts{Published}
	case SLURP:
		return []Parts{BySpeaker, Published}
	}
	return []Parts{Published, HalvedValidation}
}

// Options say how to read a folder.
type Options struct {
	Parts Parts // "" is the first of the kind's
}

// Folder is a data set on disk. Close it when no more clips are wanted.
type Folder struct {
	*speech.Set
	Dir     string
	Kind    Kind
	Parts   Parts
	Dropped []string // what was left out of the published clips, and why

	tables []string // paths
	sounds *sounds
}

// Open reads the tables of the data set in a folder. What [speech.Set.Check] refuses is refused, but for speakers in
// both train and test of SLURP where its parts are wanted as published.
func Open(dir string, o Options) (*Folder, error) {
	kind, err := layouts.Of(dir)
	if err != nil {
		return nil, err
	}
	t, err := read(dir, kind)
	if err != nil {
		return nil, err
	}
	if o.Parts == "" {
		o.Parts = kind.Parts()[0]
	}
	return t.folder(o.Parts)
}

// Files are all files that the set is read from, of tables and of sound, by their paths from Dir with slashes. Those of
// a part that lies beside Dir begin with "..".
func (f *Folder) Files() ([]string, error) {
	paths := slices.Clone(f.tables)
	for _, at := range f.sounds.places {
		paths = append(paths, at.path)
	}
	return datafolder.Relative(f.Dir, paths)
}

// Close gives the files back that are open to read clips from.
func (f *Folder) Close() error { return f.sounds.cells.Close() }

// folder makes the set of a table.
func (t *table) folder(parts Parts) (*Folder, error) {
	if ways := t.kind.Parts(); !slices.Contains(ways, parts) {
		return nil, fmt.Errorf("read %s: the parts of %s cannot be had %q; take %q", t.dir, t.kind.Title(), parts, ways)
	}
	f := &Folder{Dir: t.dir, Kind: t.kind, Parts: parts, tables: t.tables, sounds: &sounds{places: t.places}}
	divided, err := t.divide(parts)
	if err == nil {
		f.Dropped = divided.dropped
		f.Set = speech.New(divided.Set, f.sounds.open)
		if t.kind != SLURP || parts != Published {
			err = f.Set.Check()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.dir, err)
	}
	return f, nil
}
