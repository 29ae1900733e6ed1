package study

import (
	"cmp"
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

// PaperPreset is the preset with a paper's own data and models. Not every study has this preset.
const PaperPreset = preset.Paper

// Study describes the study of a paper: its presets, tables, published results, and how to plan its runs.
//
// Paper, Presets, Tables, Repetitions and one of NewPlan and Rows are required. Every other field is a capability that
// may be absent: commands then say what the study lacks, see [Unsupported].
type Study struct {
	Paper    string           // short name of the paper, such as salmu
	Text     string           // the paper's question and its terms; see [Study.About] and [Study.Terms]
	Presets  []string         // names of the presets, smallest first
	Beside   []string         // presets for additional questions
	Richest  string           // preset in Beside that has more repetitions than mini and replaces it in summaries
	Columns  []Metric         // columns of the tables; see [Study.Terms]
	Flags    []Flag           // flags beyond the preset and the number of repetitions
	Tables   []Item           // tables of the paper
	Further  []Extra[Results] // tables that the paper lacks, see [Extras]
	Figures  Figures          // figures of the paper by number, and additional figures
	Printed  printed.Book     // tables as the paper prints them
	Audit    audit.Audit      // checks that compare the printed numbers with each other
	Examples []string         // example command lines, without the program's name
	Story    Story            // summary of the results in plain words

	// Answers returns the claims that answer for the paper in summaries. They can come from several presets. If it is
	// nil, the claims of the results answer.
	Answers func(r Results) []certify.Judged

	Repetitions certify.Repetitions // unit of repetition, such as worlds

	// Shelf returns the published results that ship with the program, or is nil if none exist.
	Shelf func() *publish.Shelf
	// Rounding returns measured bounds on how much a run differs when it is repeated on another processor or device.
	Rounding func() verify.Bounds
	// NewPlan plans a preset with a number of repetitions; 0 means the preset's own number. It is nil for a study with
	// one table, which has Rows.
	NewPlan func(preset string, repetitions int) (*PresetPlan, error)

	// The other fields describe a study with one table, whose rows are models and whose columns are Columns. Every model
	// has one score file per repetition. Certified cells, claims, traces, comparisons, publications and scores from
	// elsewhere follow from them. The papers' studies do not use them, because they have several tables.

	// Rows plans the runs of a preset and returns the rows of the table. The first row's score files have the examples
	// that all models are judged on. If repetitions is 0, it uses the preset's number.
	Rows   func(plan *Plan, preset string, repetitions int) ([]Model, error)
	Layout Layout          // score files
	Claims []certify.Claim // claims about cells, which [certify.ScoreOf] names by row and column
	Frame  string          // see [Results.Frame]
}

// Validate returns an error if a required field is missing.
func (s *Study) Validate() error {
	switch {
	case s.Paper == "":
		return errors.New("a study has no name in Paper")
	case !slices.Contains(s.Presets, preset.Default):
		return fmt.Errorf("the study %s lacks the preset %s, which commands use if none is named", s.Paper, preset.Default)
	case len(s.Tables) == 0:
		return fmt.Errorf("the study %s has no Tables", s.Paper)
	case s.Repetitions == certify.Repetitions{}:
		return fmt.Errorf("the study %s has no words for its Repetitions", s.Paper)
	case (s.NewPlan == nil) == (s.Rows == nil):
		return fmt.Errorf("the study %s needs either NewPlan or Rows", s.Paper)
	case s.Rows != nil && len(s.Tables) > 1:
		return fmt.Errorf("the study %s has %d Tables, but Rows fills one; declare the others in Further", s.Paper,
			len(s.Tables))
	case s.Rows != nil:
		return s.Layout.Check(s.Columns...)
	}
	return nil
}

// Unsupported is the error for a capability that a study lacks.
type Unsupported struct{ Paper, What string }

func (e *Unsupported) Error() string { return fmt.Sprintf("the study %s has no %s", e.Paper, e.What) }

// without returns the error for a capability that the study lacks.
func (s *Study) without(what string) error { return &Unsupported{s.Paper, what} }

// Title returns the title of the paper, or its short name if the study does not declare a title.
func (s *Study) Title() string { return cmp.Or(s.Printed.Title, s.Paper) }

// FurtherTables returns the tables that the paper lacks.
func (s *Study) FurtherTables() (items []Item) {
	for _, t := range s.Further {
		items = append(items, Item{Name: t.Name, About: t.About})
	}
	return items
}

// Findings returns the findings of the study's audit, or an [Unsupported] error if it has none.
func (s *Study) Findings() ([]audit.Finding, error) {
	if !s.Audit.Exists() {
		return nil, s.without("audit of printed numbers")
	}
	return s.Audit.Findings()
}

// PrintedTable returns a table as the paper prints it, or an [Unsupported] error if the study has none.
func (s *Study) PrintedTable(item string) (*report.Table, error) {
	if s.Printed.Paper == "" {
		return nil, s.without("printed tables")
	}
	return s.Printed.Table(item)
}

// Tracer returns results that record what their cells are computed from, or an [Unsupported] error if they do not.
func (s *Study) Tracer(r Results) (Tracer, error) {
	if traced, can := r.(Tracer); can {
		return traced, nil
	}
	return nil, s.without("record of how its cells are computed")
}

// Comparer returns results that can compare rows, or an [Unsupported] error if they cannot.
func (s *Study) Comparer(r Results) (Comparer, error) {
	if comparer, can := r.(Comparer); can {
		return comparer, nil
	}
	return nil, s.without("comparison of rows")
}

// Bounds returns the measured bounds of Rounding, or none if nobody has measured.
func (s *Study) Bounds() verify.Bounds {
	if s.Rounding == nil {
		return nil
	}
	return s.Rounding()
}

// Item is a table or a figure with a name.
type Item struct{ Name, About string }

// Titled returns items with the given names and their titles.
func Titled(names []string, titles map[string]string) (items []Item) {
	for _, name := range names {
		items = append(items, Item{Name: name, About: titles[name]})
	}
	return items
}

// Extra is an additional table that the paper does not have. R is the type of the study's results.
type Extra[R Results] struct {
	Name, About string
	Of          func(r R) (*report.Table, error)
}

// Extras converts additional tables of a study's own type of results for [Study].
func Extras[R Results](tables []Extra[R]) (all []Extra[Results]) {
	for _, t := range tables {
		all = append(all, Extra[Results]{t.Name, t.About, func(r Results) (*report.Table, error) { return t.Of(r.(R)) }})
	}
	return all
}

// ExtraTable returns an additional table by its name. It returns nil if the name is unknown.
func ExtraTable[R Results](tables []Extra[R], r R, name string) (*report.Table, error) {
	for _, t := range tables {
		if t.Name == name {
			return t.Of(r)
		}
	}
	return nil, nil
}

// Sure converts a function that makes a table without an error to one for [Extra].
func Sure[R Results](of func(r R) *report.Table) func(R) (*report.Table, error) {
	return func(r R) (*report.Table, error) { return of(r), nil }
}

// Flag is a flag of a study with a text value.
type Flag struct {
	Name, About string
	Values      []string // all accepted values; nil if every text is accepted
}

// Request holds what the user asks a study to plan.
type Request struct {
	Preset      string
	Repetitions int               // number of repetitions; 0 for the preset's number
	Flags       map[string]string // values by flag name; unset flags are empty or missing
	Models      guest.Models      // users' models that the plan may import

	// Context, Store and Log are used to read downloaded files and to report progress.
	Context context.Context
	Store   *store.Store
	Log     io.Writer
}

// ofPaper reports whether the request is for the paper's own data and models, which flags locate. Such a plan has one
// repetition, and can be made only after the published files are found.
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

// Check returns an error if the study cannot plan the request. It opens no files.
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

// Plan plans the study for reading results. For the paper preset it returns an error, because only the paper's package
// train can plan that preset, from downloaded files.
func (s *Study) Plan(r Request) (*PresetPlan, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	plan := s.NewPlan
	if plan == nil {
		plan = s.planOneTable
	}
	planned, err := plan(r.Preset, r.Repetitions)
	if err != nil {
		return nil, err
	}
	planned.paper = s.Paper
	return planned, nil
}

// Shelves returns the published results of the study as shelves for a store.
func (s *Study) Shelves() []store.Shelf {
	if s.Shelf == nil {
		return nil
	}
	return []store.Shelf{s.Shelf()}
}

// OpenStore opens the store in a folder, placed above the published results of the study.
func (s *Study) OpenStore(folder string, options ...store.Option) (*store.Store, error) {
	return store.Open(folder, append(options, store.Above(s.Shelves()...))...)
}

// PresetPlan holds the runs of a study at a preset and reads their results.
type PresetPlan struct {
	*Plan
	Preset string
	Large  bool // memory fits only one model of the plan at a time

	// Of returns the runs of some methods and of the reference models. It is nil if the study has no methods; see
	// [PresetPlan.Select].
	Of func(methods ...string) ([]*Run, error)
	// Methods names the methods of the plan, and Without returns the plan without some of them; see
	// [PresetPlan.Shown]. Without is nil if the study cannot leave methods out.
	Methods []string
	Without func(methods ...string) *PresetPlan
	// Read reads the results after all runs are made. If tables are named, only the runs that these tables show are
	// required.
	Read func(s *store.Store, tables ...string) (Results, error)
	// Part reads the results of the complete repetitions. It returns [Absent] if no repetition is complete. It is nil
	// if the study needs all repetitions.
	Part func(s *store.Store) (Results, error)
	// Published returns how a run is published. passedOn is false if the run is not published. Published is nil if the
	// study publishes nothing.
	Published func(run *Run, artifact *store.Artifact) (published publish.Run, passedOn bool)

	Host  *Host  // how guests are judged, see [PresetPlan.Hosting]; nil if the study has no guests
	paper string // name of the paper
}

// Select returns the runs of some methods and of the reference models.
func (p *PresetPlan) Select(methods ...string) ([]*Run, error) {
	if p.Of == nil {
		return nil, &Unsupported{p.paper, fmt.Sprintf("choice of methods: no run has the label %q", MethodLabel)}
	}
	return p.Of(methods...)
}

// Results holds the results of a study at one preset.
type Results interface {
	Seeds() int // number of repetitions
	// Table returns a table by its name. A certified table has intervals and verdicts. Additional tables are never
	// certified.
	Table(name string, certified bool) (*report.Table, error)
	Cells(number string) ([]certify.Cell, error)
	Claims() []certify.Judged
	// Frame describes how the models differ from the paper's in size, training and replaced parts. It is empty for the
	// paper's own models.
	Frame() string
}

// Judgeable is implemented by results with free-text answers that a user's own judge model can score.
type Judgeable interface {
	// Judged returns the results with another judge's scores, from 0 to 100. The keys of scores are the rows of the
	// table of answers.
	Judged(scores map[string]float64) (Results, error)
}

// Lacks is the error for a table or figure that does not exist at a preset.
type Lacks struct{ Preset, Why string }

func (e *Lacks) Error() string { return fmt.Sprintf("the preset %s %s", e.Preset, e.Why) }

// CheckFlags returns an error if the request has a flag that the study lacks, or a value that the flag does not accept.
// The function of returns the studies that have a flag.
func (s *Study) CheckFlags(r Request, of func(flag string) []string) error {
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		value := r.Flags[name]
		if value == "" {
			continue
		}
		i := slices.IndexFunc(s.Flags, func(f Flag) bool { return f.Name == name })
		if i < 0 {
			return fmt.Errorf("--%s is for %s: %s has data of its own", name, strings.Join(of(name), ", "), s.Paper)
		}
		if values := s.Flags[i].Values; values != nil && !slices.Contains(values, value) {
			return fmt.Errorf("--%s %q: it is one of %s", name, value, strings.Join(values, ", "))
		}
	}
	return nil
}

// Has reports whether the study has a table, of the paper or additional.
func (s *Study) Has(table string) bool {
	named := func(i Item) bool { return i.Name == table }
	return slices.ContainsFunc(s.Tables, named) || slices.ContainsFunc(s.FurtherTables(), named)
}

// Open reads the results of a preset from the store in a folder. If methods or repetitions are missing, it reads the
// others, provided that the study allows it; see [PresetPlan.Shown]. It starts no runs.
func (s *Study) Open(folder, preset string) (Results, error) {
	plan, err := s.Plan(Request{Preset: preset})
	if err != nil {
		return nil, err
	}
	opened, err := s.OpenStore(folder)
	if err != nil {
		return nil, err
	}
	if plan, err = plan.Shown(opened); err != nil {
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

// OpenAs works like [Study.Open] and returns results of the study's own type.
func OpenAs[R Results](s *Study, folder, preset string) (found R, err error) {
	opened, err := s.Open(folder, preset)
	if err != nil {
		return found, err
	}
	return opened.(R), nil
}

// Reader converts a function that reads results of a study's own type to one for [PresetPlan].
func Reader[R Results](read func(s *store.Store, tables ...string) (R, error)) func(*store.Store, ...string) (Results,
	error) {
	return func(s *store.Store, tables ...string) (Results, error) { return read(s, tables...) }
}

// SmallPresets returns the presets of a study whose runs can be planned without a download.
func SmallPresets(s *Study) []string {
	presets := slices.Concat(s.Presets, s.Beside)
	return slices.DeleteFunc(presets, func(p string) bool { return p == PaperPreset })
}
