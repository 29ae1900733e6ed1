package study

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// A Set holds the labelled evaluations of a plan. Tables, figures and claims select them by labels. An evaluation is
// read once, when it is first needed. [Set.Load] reads evaluations before, and returns the error of a file that cannot be
// read; without it, such a file is a panic.
type Set struct {
	Layout      Layout
	Repetitions []int // numbers of the repetitions that are read; rows are in their order
	Guests      []Row // rows of models from elsewhere; an evaluation is nil if its repetition is missing
	Notes       GuestNotes

	entries Entries
	store   *store.Store
	loaded  *loaded
}

// loaded holds evaluations that were read. Sets of fewer repetitions share it.
type loaded struct {
	sync.Mutex
	of map[source]*Evaluation
}

// source identifies a score file.
type source struct {
	run  *Run
	file string
}

// NewSet returns the set of entries in some repetitions. It reads nothing yet. A set without a store has only the
// evaluations that [Set.Put] puts.
func NewSet(entries Entries, l Layout, s *store.Store, repetitions ...int) *Set {
	return &Set{Layout: l, Repetitions: repetitions, entries: entries, store: s,
		loaded: &loaded{of: map[source]*Evaluation{}}}
}

// Only returns the set of some repetitions, without guests.
func (s *Set) Only(repetitions ...int) *Set {
	return &Set{Layout: s.Layout, Repetitions: repetitions, entries: s.entries, store: s.store, loaded: s.loaded}
}

// Load reads the evaluations that have one of the labels, in the order of the plan. Without labels it reads all.
func (s *Set) Load(labels ...Label) error {
	for _, e := range s.entries {
		wanted := len(labels) == 0 || slices.ContainsFunc(labels, func(l Label) bool { return slices.Contains(e.Labels, l) })
		if wanted && slices.Contains(s.Repetitions, e.Repetition) {
			if _, err := s.load(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Set) load(e *Entry) (*Evaluation, error) {
	s.loaded.Lock()
	defer s.loaded.Unlock()
	return s.read(e)
}

// read reads an entry and all other entries of its run.
func (s *Set) read(e *Entry) (*Evaluation, error) {
	if found, is := s.loaded.of[source{e.Run, e.File}]; is {
		return found, nil
	}
	if s.store == nil {
		return nil, nil
	}
	same := slices.DeleteFunc(slices.Clone(s.entries), func(other *Entry) bool { return other.Run != e.Run })
	// A publication stores budgets in the order of their file names. In this order, nothing is decoded twice.
	slices.SortStableFunc(same, func(a, b *Entry) int { return cmp.Compare(a.File, b.File) })
	for _, e := range same {
		at := source{e.Run, e.File}
		if _, is := s.loaded.of[at]; is {
			continue
		}
		var pair *Evaluation
		if e.Pair != nil {
			var err error
			if pair, err = s.read(e.Pair); err != nil {
				return nil, err
			}
		}
		found, err := s.Layout.Load(s.store, Reading{Run: e.Run, For: ForValue, Repetition: e.Repetition, Budget: e.Budget,
			File: e.File}, pair)
		if err != nil {
			return nil, err
		}
		s.loaded.of[at] = found
	}
	return s.loaded.of[source{e.Run, e.File}], nil
}

// Put replaces the evaluation of a repetition that has all labels.
func (s *Set) Put(scores *Evaluation, repetition int, labels ...Label) {
	s.loaded.Lock()
	defer s.loaded.Unlock()
	if e := s.entry(repetition, labels); e != nil {
		s.loaded.of[source{e.Run, e.File}] = scores
	}
}

// entry returns the entry of a repetition that has all labels, or nil. It panics if there are entries of several files.
func (s *Set) entry(repetition int, labels []Label) (found *Entry) {
	for _, e := range s.entries {
		if e.Repetition != repetition || !e.has(labels) {
			continue
		}
		if found != nil && (found.Run != e.Run || found.File != e.File) {
			panic(fmt.Sprintf("study: %v are labels of %s, %s and %s", labels, found.Run.Title, found.File, e.File))
		}
		found = e
	}
	return found
}

// Find returns the evaluation of a repetition that has all labels, or nil if none is planned.
func (s *Set) Find(repetition int, labels ...Label) *Evaluation {
	return s.evaluation(s.entry(repetition, labels))
}

func (s *Set) evaluation(e *Entry) *Evaluation {
	if e == nil {
		return nil
	}
	found, err := s.load(e)
	if err != nil {
		panic(err) // Load returns this error
	}
	return found
}

// Row returns the row of the model that has all labels.
func (s *Set) Row(levels []string, reference bool, labels ...Label) Row {
	row := RowOf(levels, reference)
	for _, repetition := range s.Repetitions {
		row.Scores = append(row.Scores, s.Find(repetition, labels...))
	}
	return row
}

// Rows returns the rows of the models that have all labels, in the order of the plan.
func (s *Set) Rows(labels ...Label) (rows []Row) {
	at := map[string]int{}
	for _, e := range s.entries.Where(labels...) {
		repetition := slices.Index(s.Repetitions, e.Repetition)
		if repetition < 0 {
			continue
		}
		of := fmt.Sprint(e.Levels, e.Labels)
		i, known := at[of]
		if !known {
			i = len(rows)
			at[of] = i
			row := RowOf(e.Levels, false, make([]*Evaluation, len(s.Repetitions))...)
			row.Labels = e.Labels
			rows = append(rows, row)
		}
		rows[i].Scores[repetition] = s.evaluation(e)
	}
	return rows
}

// References returns the models that metrics compare others with, by repetition.
func (s *Set) References() []References {
	refs := make([]References, len(s.Repetitions))
	for i := range refs {
		refs[i] = References{}
	}
	for _, e := range s.entries {
		if i := slices.Index(s.Repetitions, e.Repetition); i >= 0 && e.Reference != "" {
			refs[i][e.Reference] = s.evaluation(e)
		}
	}
	return refs
}

// Admit adds the row of a guest. Its scores have the examples and the file name of the model with the labels like.
func (s *Set) Admit(g *GuestRuns, like ...Label) error {
	s.Notes.Add(g)
	scores, has := make([]*Evaluation, len(s.Repetitions)), 0
	for i, repetition := range s.Repetitions {
		at := slices.IndexFunc(g.Parts, func(p GuestPart) bool { return p.Repetition == repetition })
		if at < 0 {
			continue
		}
		e := s.entry(repetition, like)
		var err error
		scores[i], err = s.Layout.Load(s.store, Reading{Run: g.Parts[at].Scores[0], For: ForValue, Repetition: repetition,
			Budget: e.Budget, File: e.File}, s.evaluation(e))
		if err != nil {
			return err
		}
		has++
	}
	if has == 0 {
		return nil
	}
	row := GuestRow([]string{GuestTitle(g.Name, has, len(s.Repetitions), s.Layout.Repetitions)}, scores...)
	row.Labels = []Label{GuestKey.Is(g.Name)}
	s.Guests = append(s.Guests, row)
	return nil
}

// GuestKey labels rows of guests with their names.
const GuestKey Key[string] = "guest"

// Of returns the evaluation of a run's file, or nil if it was not read. The run may be of another plan.
func (s *Set) Of(run *Run, file string) *Evaluation {
	s.loaded.Lock()
	defer s.loaded.Unlock()
	for at, found := range s.loaded.of {
		if at.file == file && at.run.Key() == run.Key() {
			return found
		}
	}
	return nil
}
