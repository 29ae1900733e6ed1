package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// PaperPreset is the preset of a paper's own data and models, in the studies that have one.
const PaperPreset = preset.Paper

// Study is the study of a paper.
type Study interface {
	Paper() string      // its short name
	About() string      // what the paper asks, in a sentence or two
	Terms() []Item      // what the words of its tables and claims mean, at every preset
	Presets() []string  // how large it can be, the smallest first
	Flags() []Flag      // what it takes beside a preset and a number of repetitions
	Tables() []Item     // of the paper
	Further() []Item    // tables that the paper has not
	Examples() []string // of what the command can be asked, without the command's name
	Main() []string     // the claims that matter most, by their names; not every preset has them all

	Repetitions() certify.Repetitions // what it repeats

	// Rounding is how far a run moves when it is made again on other processors and devices, as measured.
	Rounding() verify.Bounds
	// Shelves hold what ships of the study, to be read below a store.
	Shelves() []store.Shelf
	// Check refuses a request for what the study has not; it opens nothing.
	Check(r Request) error
	// Lay lays the study out so that it can be read. What computes it lays out the paper's own data besides.
	Lay(r Request) (*PresetPlan, error)
	// Open reads what the study has found at a preset from the store in a folder. It computes nothing.
	Open(folder, preset string) (Results, error)
}

// Item is a table or a figure that can be asked for by its name.
type Item struct{ Name, About string }

// Flag is something that a study takes, a text.
type Flag struct{ Name, About string }

// Request is what a study is asked for.
type Request struct {
	Preset      string
	Repetitions int               // in place of the preset's; 0 leaves them
	Flags       map[string]string // by the names of the study's flags; absent ones are empty

	// What a study of downloaded files reads them with, and tells how it goes.
	Context context.Context
	Store   *store.Store
	Log     io.Writer
}

// OfPaper tells whether a study is asked for on the paper's own data and models, which its flags say where to find. It
// refuses what does not go with that: their plan is known only when the published files are, and is one repetition.
func (r Request) OfPaper(flags []Flag) (bool, error) {
	if r.Preset == PaperPreset {
		if r.Repetitions > 1 {
			return true, fmt.Errorf("--seeds %d: the published data are one world", r.Repetitions)
		}
		return true, nil
	}
	given := false
	var names []string
	for _, flag := range flags {
		given = given || r.Flags[flag.Name] != ""
		names = append(names, "--"+flag.Name)
	}
	if given {
		last := len(names) - 1
		return false, fmt.Errorf("%s and %s are for --preset %s: %s has data of its own",
			strings.Join(names[:last], ", "), names[last], PaperPreset, r.Preset)
	}
	return false, nil
}

// PresetPlan is a study laid out at a preset.
type PresetPlan struct {
	*Plan
	Preset string
	Large  bool // memory holds one of its models

	Of func(methods ...string) ([]*Run, error) // the runs of some methods, and those beside which they stand
	// Read reads what is found, when all runs are made; where tables are named, what these show may be enough.
	Read func(s *store.Store, tables ...string) (Results, error)
	// Part reads those repetitions that are whole, where a study can do with some; a [study.Absent] where none is. It
	// may be nil.
	Part func(s *store.Store) (Results, error)
	// Published is how a run is passed on; false where who wants it makes it again.
	Published func(run *Run, artifact *store.Artifact) (published publish.Run, passedOn bool)
}

// Results are what a study has found.
type Results interface {
	Seeds() int // the number of repetitions
	// Table lays out a table by its name. Certified ones have intervals and verdicts; further ones are as they are.
	Table(name string, certified bool) (*report.Table, error)
	Cells(number string) ([]certify.Cell, error)
	Claims() []certify.Judged
	ClaimsTable() *report.Table
	// Frame says how far the models are from the paper's: their size, what they have learnt, and what replaces what. It
	// is empty where they are the paper's own.
	Frame() string
}

// Comparer compares the rows of a table with each other: every other one less the named one, column by column.
type Comparer interface {
	Against(number, row string) ([]certify.Comparison, error)
	AgainstTable(number, row string) (*report.Table, error)
}

// Judgeable is results with answers in words that a judge of one's own may score.
type Judgeable interface {
	// Judged are the results with scores of another judge, from 0 to 100, by the rows of the table of answers.
	Judged(scores map[string]float64) (Results, error)
}

// Lacks is the error of a table or figure that a preset cannot show.
type Lacks struct{ Preset, Why string }

func (e *Lacks) Error() string { return fmt.Sprintf("the preset %s %s", e.Preset, e.Why) }

// CheckFlags refuses flags that the study does not take; of says which studies do.
func CheckFlags(s Study, r Request, of func(flag string) []string) error {
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		if r.Flags[name] == "" || slices.ContainsFunc(s.Flags(), func(f Flag) bool { return f.Name == name }) {
			continue
		}
		return fmt.Errorf("--%s is for %s: %s has data of its own", name, strings.Join(of(name), ", "), s.Paper())
	}
	return nil
}

// Has tells whether the study makes a table, of the paper or besides.
func Has(s Study, table string) bool {
	named := func(i Item) bool { return i.Name == table }
	return slices.ContainsFunc(s.Tables(), named) || slices.ContainsFunc(s.Further(), named)
}

// Open is what studies open their results by: it checks, lays out and reads what is whole.
func Open(s Study, folder, preset string) (Results, error) {
	r := Request{Preset: preset}
	if err := s.Check(r); err != nil {
		return nil, err
	}
	opened, err := store.Open(folder, store.Above(s.Shelves()...))
	if err != nil {
		return nil, err
	}
	plan, err := s.Lay(r)
	if err != nil {
		return nil, err
	}
	found, err := plan.Read(opened)
	if errors.As(err, new(*Absent)) && plan.Part != nil {
		found, err = plan.Part(opened)
	}
	if errors.As(err, new(*Absent)) {
		return nil, fmt.Errorf("%w: unlearnlab run %s --preset %s makes them", err, s.Paper(), preset)
	}
	return found, err
}
