package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Layout describes the score files of a study.
type Layout struct {
	Examples    string // plural noun for the rows, such as "clips"
	Repetitions certify.Repetitions
	Fields      []safefile.Field // columns of the score file
	// Keys are the columns with equal values in all evaluations of a repetition, such as the ID and the split.
	Keys       []string
	Files      map[string][]safefile.Field // columns that metrics read in the other files of a run
	References []string                    // names of the models that metrics compare other models with
	Bounds     map[string]Bound            // limits for scores that users supply; see [Host.ReadScores]
}

// Evaluation holds the scores of one model in one repetition. A model that diverged has no scores.
type Evaluation struct {
	Reading // the run that scored the model, and its score file

	// Exact marks a model that all repetitions share, so that its scores have no uncertainty.
	Exact bool
	// InFile converts a selection of rows of these scores to the matching selection of rows of the run's file. It is
	// nil if the scores are rows of that file.
	InFile func(file string, rows Selection) Selection

	frame *safefile.Frame
	files map[string]*safefile.Frame

	pair    *Evaluation                 // an evaluation of the same rows in the same order; nil for none
	rows    memo.Map[selected, []int]   // rows that each metric selects, shared with paired evaluations
	choices memo.Map[string, Condition] // row conditions that metrics derive from these scores
	numbers memo.Map[string, float64]   // cached scores that are one number
}

// selected identifies the rows that a metric selects.
type selected struct {
	metric  string
	chooser *Evaluation
}

// References holds the reference models of one repetition by name. Metrics compare other models with them.
type References map[string]*Evaluation

// Evaluated returns an evaluation with scores from memory.
func Evaluated(frame *safefile.Frame) *Evaluation { return &Evaluation{frame: frame} }

// Lost reports whether the model diverged and has no scores.
func (e *Evaluation) Lost() bool { return e == nil || e.frame == nil }

// Frame returns the score file, or nil if the model diverged. Callers must not change it.
func (e *Evaluation) Frame() *safefile.Frame { return e.frame }

// FrameOf returns another file of the run, or the score file if file is "". Callers must not change it.
func (e *Evaluation) FrameOf(file string) *safefile.Frame {
	if file == "" {
		return e.frame
	}
	return e.files[file]
}

// SetFrame replaces another file of the run. Call it before a metric reads the file.
func (e *Evaluation) SetFrame(file string, frame *safefile.Frame) {
	if e.files == nil {
		e.files = map[string]*safefile.Frame{}
	}
	e.files[file] = frame
}

// Load reads an evaluation. If pair is not nil, Load also checks that both evaluations can be compared row by row: they
// must have the same examples in the same order, and values in the same rows.
func (l Layout) Load(s *store.Store, from Reading, pair *Evaluation) (*Evaluation, error) {
	e, err := l.load(s, from, pair)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from.Run.Title, err)
	}
	return e, nil
}

func (l Layout) load(s *store.Store, from Reading, pair *Evaluation) (*Evaluation, error) {
	artifact, err := s.Get(from.Run.Key())
	if err != nil {
		return nil, err
	}
	e := &Evaluation{Reading: from, files: map[string]*safefile.Frame{}, pair: pair}
	if !artifact.Has(from.File) {
		return e, nil
	}
	if e.frame, err = artifact.ReadTable(from.File); err != nil {
		return nil, err
	}
	if err := e.frame.Check(l.Fields...); err != nil {
		return nil, err
	}
	for name, fields := range l.Files {
		if e.files[name], err = artifact.ReadTable(name); err != nil {
			return nil, err
		}
		if err := e.files[name].Check(fields...); err != nil {
			return nil, err
		}
	}
	if pair == nil {
		return e, nil
	}
	return e, l.paired(e.frame, pair.frame)
}

// paired returns an error if two score tables cannot be compared row by row.
func (l Layout) paired(a, b *safefile.Frame) error {
	if a.Rows() != b.Rows() {
		return fmt.Errorf("it scores %d %s, but another model in the same %[4]s has %[3]d", a.Rows(), l.Examples, b.Rows(),
			l.Repetitions.Singular)
	}
	for _, key := range l.Keys {
		one, other := a.Column(key), b.Column(key)
		if row := firstOther(one.Texts, other.Texts); row >= 0 {
			return l.unpaired(a, b, row)
		}
		if row := firstOther(one.Values, other.Values); row >= 0 {
			return l.unpaired(a, b, row)
		}
	}
	for _, field := range l.Fields {
		if field.Words || slices.Contains(l.Keys, field.Name) {
			continue
		}
		one, other := a.Column(field.Name).Values, b.Column(field.Name).Values
		for row := range one {
			if math.IsNaN(one[row]) != math.IsNaN(other[row]) {
				return fmt.Errorf("row %d, %s, has its %s under one model of the %s but not under another", row+1,
					l.example(a, row), field.Name, l.Repetitions.Singular)
			}
		}
	}
	return nil
}

// firstOther returns the first row in which two columns differ, or -1 if they are equal.
func firstOther[V comparable](a, b []V) int {
	for row := range a {
		if a[row] != b[row] {
			return row
		}
	}
	return -1
}

func (l Layout) unpaired(a, b *safefile.Frame, row int) error {
	return fmt.Errorf("row %d is %s, but %s for another model in the same %s", row+1, l.example(a, row),
		l.example(b, row), l.Repetitions.Singular)
}

// example names the example of a row by the row's first two keys: "clip-7 of forget", or "rose, number 4" if the second
// is a number.
func (l Layout) example(frame *safefile.Frame, row int) string {
	name := ""
	for i, key := range l.Keys[:min(2, len(l.Keys))] {
		column := frame.Column(key)
		switch {
		case i == 0:
			name = textOf(column, row)
		case column.Texts != nil:
			name += " of " + column.Texts[row]
		default:
			name += fmt.Sprintf(", %s %g", key, column.Values[row])
		}
	}
	return name
}

// leader returns the evaluation that caches the selected rows for all evaluations of the same examples.
func (e *Evaluation) leader() *Evaluation {
	if e.pair != nil {
		return e.pair.leader()
	}
	return e
}

// Rows is a selection of rows of a score file.
type Rows struct {
	frame *safefile.Frame
	at    []int
}

// Numbers returns the values of a numeric column in the selected rows.
func (r Rows) Numbers(column string) []float64 {
	values, all := make([]float64, len(r.at)), numbers(r.frame, column)
	for i, row := range r.at {
		values[i] = all[row]
	}
	return values
}

// Words returns the values of a text column in the selected rows.
func (r Rows) Words(column string) []string {
	texts, all := make([]string, len(r.at)), r.frame.Column(column).Texts
	for i, row := range r.at {
		texts[i] = all[row]
	}
	return texts
}

// In returns the selected rows whose value in a column equals word.
func (r Rows) In(column, word string) Rows {
	texts, kept := r.frame.Column(column).Texts, Rows{frame: r.frame}
	for _, row := range r.at {
		if texts[row] == word {
			kept.at = append(kept.at, row)
		}
	}
	return kept
}

func numbers(frame *safefile.Frame, column string) []float64 {
	values, err := frame.Numbers(column)
	if err != nil {
		panic(err)
	}
	return values
}
