package speechfolder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// Rate is the sampling rate of all sets in Hz. The benchmark's models need 16 kHz.
const Rate = 16_000

// Kind is one of the data sets.
type Kind string

// The known data sets.
const (
	FluentSpeechCommands Kind = "fsc"
	SLURP                Kind = "slurp"
	ITALIC               Kind = "italic"
	German               Kind = "massive-de-DE" // German part of Speech-MASSIVE
	French               Kind = "massive-fr-FR"
)

// Kinds lists the known data sets.
var Kinds = []Kind{FluentSpeechCommands, SLURP, ITALIC, German, French}

// Name returns the name under which the store registers the data set's folder.
func (k Kind) Name() string { return "speech/" + string(k) }

// Title returns the usual name of the data set.
func (k Kind) Title() string {
	switch k {
	case FluentSpeechCommands:
		return "Fluent Speech Commands"
	case German, French:
		return "Speech-MASSIVE " + k.locale()
	}
	return strings.ToUpper(string(k))
}

// locale returns the folder of a language in Speech-MASSIVE, or "" for other data sets.
func (k Kind) locale() string {
	locale, massive := strings.CutPrefix(string(k), "massive-")
	if !massive {
		return ""
	}
	return locale
}

// Language returns the ISO 639-1 code of the data set's language.
func (k Kind) Language() string {
	switch k {
	case ITALIC:
		return "it"
	case German, French:
		return k.locale()[:2]
	}
	return "en"
}

// Parts is a way of choosing the parts of a set.
type Parts string

// Ways of choosing the parts.
const (
	// Published uses the published parts, like the benchmark's runner. Parts of Speech-MASSIVE share speakers, so clips
	// of validation and test by speakers of train are dropped. The parts of SLURP share nearly all speakers, so this
	// set cannot be used for the benchmark; [speech.Set.Check] returns an error for it.
	Published Parts = "as published"
	// BySpeaker splits all clips with [speech.Set.Resplit], so that no speaker is in two parts. For SLURP, the result
	// is SLURP*.
	BySpeaker Parts = "split anew by speaker"
	// HalvedValidation uses half of validation as the test and ignores the published test, like the benchmark's
	// notebooks for Speech-MASSIVE and ITALIC. The published test need not be downloaded.
	HalvedValidation Parts = "half of validation for the test"
)

// Parts returns the ways in which the benchmark's code chooses the parts of a data set, with the runner's way first.
func (k Kind) Parts() []Parts {
	switch k {
	case FluentSpeechCommands:
		return []Parts{Published}
	case SLURP:
		return []Parts{BySpeaker, Published}
	}
	return []Parts{Published, HalvedValidation}
}

// Options configures how a folder is read.
type Options struct {
	Parts Parts // way of choosing the parts; "" for the first of the Kind's Parts
}

// Folder is an opened data set. Close it after reading the last clip.
type Folder struct {
	*speech.Set
	Dir     string
	Kind    Kind
	Parts   Parts
	Dropped []string // published clips that were left out, and why

	tables []string // paths of the tables read
	sounds *sounds
}

// Open reads the tables of the data set in a folder. It returns an error if [speech.Set.Check] does, except for SLURP
// with its published parts.
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

// Files returns the paths of all tables and sound files, relative to Dir and with slashes as separators. Paths outside
// Dir begin with "..".
func (f *Folder) Files() ([]string, error) {
	paths := slices.Clone(f.tables)
	for _, at := range f.sounds.places {
		paths = append(paths, at.path)
	}
	return datafolder.Relative(f.Dir, paths)
}

// Close closes the files from which clips are read.
func (f *Folder) Close() error { return f.sounds.cells.Close() }

// folder returns the data set with its parts chosen in a given way.
func (t *table) folder(parts Parts) (*Folder, error) {
	if ways := t.kind.Parts(); !slices.Contains(ways, parts) {
		return nil, fmt.Errorf("read %s: the parts of %s cannot be made %q; choose %q", t.dir, t.kind.Title(), parts,
			ways)
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
