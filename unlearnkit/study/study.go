package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// PaperPreset is the preset with a paper's own data and models. Not every study has it.
const PaperPreset = preset.Paper

// Study describes the study of a paper: its presets, its tables, its published results, and how its runs are planned.
type Study struct {
	Paper    string       // short name
	Text     string       // what the paper asks and what its terms mean; see [Study.About] and [Study.Terms]
	Presets  []string     // sizes of the study, smallest first
	Beside   []string     // presets that ask additional questions
	Richest  string       // preset of Beside that repeats mini with more repetitions; its verdicts count
	Columns  []Metric     // columns of the tables; see [Study.Terms]
	Flags    []Flag       // flags in addition to the preset and the number of repetitions
	Tables   []Item       // tables of the paper
	Further  []Item       // tables that the paper lacks
	Figures  Figures      // figures of the paper, by number, and additional ones
	Printed  printed.Book // tables as printed
	Audit    audit.Audit  // checks of the printed numbers against each other
	Examples []string     // command lines, without the command's name
	Story    Story        // the results in plain words

	Repetitions certify.Repetitions // the unit of repetition

	// Shelf returns the published results that ship with the program. It is nil without such results.
	Shelf func() *publish.Shelf
	// Rounding returns measured bounds for the differences between a run and its repetition on other processors or
	// devices.
	Rounding func() verify.Bounds
	// NewPlan plans a preset with a number of repetitions. If the number is 0, it uses the preset's own number.
	NewPlan func(preset string, repetitions int) (*PresetPlan, error)
}

// Item is a table or a figure with a name.
type Item struct{ Name, About string }

// Titled returns named items with their titles.
func Titled(names []string, titles map[string]string) (items []Item) {
	for _, name := range names {
		items = append(items, Item{Name: name, About: titles[name]})
	}
	return items
}

// Extra is a table that a paper lacks. R is the type of the study's results.
type Extra[R Results] struct {
	Name, About string
	Of          func(r R) (*report.Table, error)
}

// ExtraItems returns the names and descriptions of tables that a paper lacks.
func ExtraItems[R Results](tables []Extra[R]) (items []Item) {
	for _, t := range tables {
		items = append(items, Item{Name: t.Name, About: t.About})
	}
	return items
}

// Flag is a flag of a study with a text value.
type Flag struct{ Name, About string }

// Request asks for the plan of a study.
type Request struct {
	Preset      string
	Repetitions int               // replaces the preset's number; 0 keeps it
	Flags       map[string]string // values by flag name; missing flags are empty
	Models      guest.Models      // models of guests that may be imported

	// Context, Store and Log serve to read downloaded files and to report progress.
	Context context.Context
	Store   *store.Store
	Log     io.Writer
}

// ofPaper reports whether the request is for the paper's own data and models, which the study's flags locate. They have
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

// Check returns an error if the study cannot plan a request. It opens no files.
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

// Plan plans the study for reading. For the paper preset it returns an error, because the paper's package train plans
// it from a download.
func (s *Study) Plan(r Request) (*PresetPlan, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	return s.NewPlan(r.Preset, r.Repetitions)
}

// Shelves returns the published results of the study, to be read in addition to a store.
func (s *Study) Shelves() []store.Shelf {
	if s.Shelf == nil {
		return nil
	}
	return []store.Shelf{s.Shelf()}
}

// OpenStore opens the store in a folder together with the published results of the study.
func (s *Study) OpenStore(folder string, options ...store.Option) (*store.Store, error) {
	return store.Open(folder, append(options, store.Above(s.Shelves()...))...)
}

// PresetPlan holds the runs of a study at a preset and reads their results.
type PresetPlan struct {
	*Plan
	Preset string
	Large  bool // memory holds only one of its models

	Of func(methods ...string) ([]*Run, error) // returns the runs of some methods and of their references
	// Read reads the results when all runs are made. With named tables, the runs that these tables show may be enough.
	Read func(s *store.Store, tables ...string) (Results, error)
	// Part reads the complete repetitions if some are missing. It returns [Absent] if no repetition is complete. It is
	// nil if the study always needs all repetitions.
	Part func(s *store.Store) (Results, error)
	// Published returns the published form of a run. It returns false if the run is not published.
	Published func(run *Run, artifact *store.Artifact) (published publish.Run, passedOn bool)

	Host  *Host // nil if the study has no guests; see [PresetPlan.Hosting]
	paper string
}

// Results holds what a study has found.
type Results interface {
	Seeds() int // the number of repetitions
	// Table returns a table by its name. Certified tables have intervals and verdicts; additional tables are never
	// certified.
	Table(name string, certified bool) (*report.Table, error)
	Cells(number string) ([]certify.Cell, error)
	Claims() []certify.Judged
	// Frame describes how the models differ from the paper's: in size, in training, and in replaced parts. It is empty
	// for the paper's own models.
	Frame() string
}

// Judgeable is implemented by results with free-text answers that a user's own judge can score.
type Judgeable interface {
	// Judged returns the results with the scores of another judge, from 0 to 100, by the rows of the table of answers.
	Judged(scores map[string]float64) (Results, error)
}

// Lacks is the error for a table or figure that a preset cannot show.
type Lacks struct{ Preset, Why string }

func (e *Lacks) Error() string { return fmt.Sprintf("the preset %s %s", e.Preset, e.Why) }

// CheckFlags returns an error for flags that the study does not have. The function of names the studies that have a
// flag.
func (s *Study) CheckFlags(r Request, of func(flag string) []string) error {
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		if r.Flags[name] == "" || slices.ContainsFunc(s.Flags, func(f Flag) bool { return f.Name == name }) {
			continue
		}
		return fmt.Errorf("--%s is for %s: %s has data of its own", name, strings.Join(of(name), ", "), s.Paper)
	}
	return nil
}

// Has reports whether the study has a table, in the paper or in addition.
func (s *Study) Has(table string) bool {
	named := func(i Item) bool { return i.Name == table }
	return slices.ContainsFunc(s.Tables, named) || slices.ContainsFunc(s.Further, named)
}

// Open reads the results of a preset from the store in a folder. If some repetitions are missing, it reads the others,
// provided that the study allows it. It computes nothing.
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

// OpenAs is like [Study.Open] and returns results of the study's own type.
func OpenAs[R Results](s *Study, folder, preset string) (found R, err error) {
	opened, err := s.Open(folder, preset)
	if err != nil {
		return found, err
	}
	return opened.(R), nil
}

// Reader adapts a function that reads results of a study's own type to [PresetPlan].
func Reader[R Results](read func(s *store.Store, tables ...string) (R, error)) func(*store.Store, ...string) (Results,
	error) {
	return func(s *store.Store, tables ...string) (Results, error) { return read(s, tables...) }
}

// SmallPresets returns the presets of a study whose runs can be planned without a download.
func SmallPresets(s *Study) []string {
	presets := slices.Concat(s.Presets, s.Beside)
	return slices.DeleteFunc(presets, func(p string) bool { return p == PaperPreset })
}
