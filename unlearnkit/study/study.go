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

// Study describes the study of a paper: what can be asked for, what ships, and how its runs are planned.
type Study struct {
	Paper    string   // short name
	Text     string   // what the paper asks, and the terms of its tables: [Study.About] and [Study.Terms] read it
	Presets  []string // sizes of the study, the smallest first
	Beside   []string // presets that ask further questions
	Columns  []Metric // columns of the tables: [Study.Terms] explains them
	Flags    []Flag   // in addition to a preset and a number of repetitions
	Tables   []Item   // of the paper
	Further  []Item   // tables that the paper lacks
	Examples []string // command lines, without the command's name
	Main     []string // names of the claims that matter most; a preset may lack some

	Repetitions certify.Repetitions // the unit of repetition

	// Shelf holds what ships of the study, nil if nothing does.
	Shelf func() *publish.Shelf
	// Rounding returns how far a run moves when it is made again on other processors and devices, as measured.
	Rounding func() verify.Bounds
	// NewPlan plans a preset with a number of repetitions; 0 leaves the preset's own.
	NewPlan func(preset string, repetitions int) (*PresetPlan, error)
}

// Item is a table or a figure that can be asked for by its name.
type Item struct{ Name, About string }

// Titled returns items of a paper with their titles.
func Titled(names []string, titles map[string]string) (items []Item) {
	for _, name := range names {
		items = append(items, Item{Name: name, About: titles[name]})
	}
	return items
}

// Extra is a table that a paper lacks, of results of type R.
type Extra[R Results] struct {
	Name, About string
	Of          func(r R) (*report.Table, error)
}

// ExtraItems returns the names of tables that a paper lacks.
func ExtraItems[R Results](tables []Extra[R]) (items []Item) {
	for _, t := range tables {
		items = append(items, Item{Name: t.Name, About: t.About})
	}
	return items
}

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

// ofPaper reports whether the request is for the paper's own data and models, which the study's flags locate. They are
// one repetition, and are planned only after the published files are found.
func (s *Study) ofPaper(r Request) (bool, error) {
	if !slices.Contains(s.Presets, PaperPreset) {
		return false, nil
	}
	if r.Preset == PaperPreset {
		if r.Repetitions > 1 {
			return true, fmt.Errorf("--seeds %d: the published data are one world", r.Repetitions)
		}
		return true, nil
	}
	given := false
	var names []string
	for _, flag := range s.Flags {
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

// Check refuses a request for what the study lacks. It opens nothing.
func (s *Study) Check(r Request) error {
	if paper, err := s.ofPaper(r); paper || err != nil {
		return err
	}
	more := ""
	if slices.Contains(s.Presets, PaperPreset) {
		more = ", and paper with a download"
	}
	_, err := Named(s.Paper, r.Preset, SmallPresets(s), func(name string) string { return name }, more)
	return err
}

// Plan plans the study so that it can be read. The paper's own data are planned by what computes the study.
func (s *Study) Plan(r Request) (*PresetPlan, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	return s.NewPlan(r.Preset, r.Repetitions)
}

// Shelves returns what ships of the study, to be read below a store.
func (s *Study) Shelves() []store.Shelf {
	if s.Shelf == nil {
		return nil
	}
	return []store.Shelf{s.Shelf()}
}

// OpenStore opens the store in a folder, with what ships of the study below it.
func (s *Study) OpenStore(folder string, options ...store.Option) (*store.Store, error) {
	return store.Open(folder, append(options, store.Above(s.Shelves()...))...)
}

// PresetPlan is the runs of a study at a preset, and how their results are read.
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
	// Frame says how far the models are from the paper's: their size, what they have learnt, and what replaces what. It
	// is empty where they are the paper's own.
	Frame() string
}

// Judgeable is results with answers in words that a judge of one's own may score.
type Judgeable interface {
	// Judged are the results with scores of another judge, from 0 to 100, by the rows of the table of answers.
	Judged(scores map[string]float64) (Results, error)
}

// Lacks is the error of a table or figure that a preset cannot show.
type Lacks struct{ Preset, Why string }

func (e *Lacks) Error() string { return fmt.Sprintf("the preset %s %s", e.Preset, e.Why) }

// CheckFlags refuses flags that the study does not take; of names the studies that do.
func (s *Study) CheckFlags(r Request, of func(flag string) []string) error {
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		if r.Flags[name] == "" || slices.ContainsFunc(s.Flags, func(f Flag) bool { return f.Name == name }) {
			continue
		}
		return fmt.Errorf("--%s is for %s: %s has data of its own", name, strings.Join(of(name), ", "), s.Paper)
	}
	return nil
}

// Has reports whether the study makes a table, of the paper or in addition.
func (s *Study) Has(table string) bool {
	named := func(i Item) bool { return i.Name == table }
	return slices.ContainsFunc(s.Tables, named) || slices.ContainsFunc(s.Further, named)
}

// Open reads what the study has found at a preset from the store in a folder. If some repetitions are missing, it reads
// the others, if the study allows that. It computes nothing.
func (s *Study) Open(folder, preset string) (Results, error) {
	plan, err := s.Plan(Request{Preset: preset})
	if err != nil {
		return nil, err
	}
	opened, err := s.OpenStore(folder)
	if err != nil {
		return nil, err
	}
	found, err := plan.Read(opened)
	if errors.As(err, new(*Absent)) && plan.Part != nil {
		found, err = plan.Part(opened)
	}
	if errors.As(err, new(*Absent)) {
		return nil, fmt.Errorf("%w: unlearnlab run %s --preset %s makes them", err, s.Paper, preset)
	}
	return found, err
}

// OpenAs is [Study.Open] with results of the study's own type.
func OpenAs[R Results](s *Study, folder, preset string) (found R, err error) {
	opened, err := s.Open(folder, preset)
	if err != nil {
		return found, err
	}
	return opened.(R), nil
}

// Reader converts a function that reads results of a study's own type to one of [Plan].
func Reader[R Results](read func(s *store.Store, tables ...string) (R, error)) func(*store.Store, ...string) (Results,
	error) {
	return func(s *store.Store, tables ...string) (Results, error) { return read(s, tables...) }
}
