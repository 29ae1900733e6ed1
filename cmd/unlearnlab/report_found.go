package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/page"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// found is what there is of a paper's study.
type found struct {
	preset  string
	results study.Results // nil of none
	runs    []page.Run
	said    []string // what is missing
}

// found reads a study at the largest preset up to the reader's of which there are whole repetitions. It computes
// nothing.
func (s *reader) found(paper string) (f found, err error) {
	if f, known := s.there[paper]; known {
		return f, nil
	}
	f.preset = s.flags.preset
	for _, size := range upTo(s.flags.preset, papers.Of(paper).Presets) {
		flags := s.flags
		flags.preset = size
		o, err := openStudy(paper, flags, s.stderr)
		if err != nil && size == preset.Paper {
			f.said = append(f.said, fmt.Sprintf("At the preset %s there is nothing: %v.", size, err))
			continue
		}
		if err != nil {
			return f, err
		}
		whole, err := f.read(o)
		if err != nil {
			return f, err
		}
		if !whole {
			continue
		}
		f.preset = size
		if f.runs, err = o.made(); err != nil {
			return f, err
		}
		break
	}
	s.there[paper] = f
	return f, nil
}

// read reads what is whole: all repetitions, or some where the study can do with them. False is that there are none.
func (f *found) read(o *opened) (whole bool, err error) {
	missing, err := o.Missing(o.store)
	if err != nil {
		return false, err
	}
	if len(missing) == 0 {
		f.results, err = o.Read(o.store)
		return err == nil, err
	}
	f.said = append(f.said, fmt.Sprintf("Of the preset %s %d of %d runs are not made yet: "+
		"unlearnlab run %s --preset %[1]s makes them.", o.Preset, len(missing), len(o.Runs()), o.study.Paper))
	if o.Part == nil {
		return false, nil
	}
	results, err := o.Part(o.store)
	if errors.As(err, new(*study.Absent)) {
		return false, nil
	}
	f.results = results
	return err == nil, err
}

// upTo are the presets that may be shown where one is asked for, the largest first. The smallest, whose numbers mean
// nothing, takes the place of no other.
func upTo(asked string, presets []string) (sizes []string) {
	for _, size := range slices.Backward(presets) {
		larger := slices.Index(preset.Names, size) > slices.Index(preset.Names, asked)
		if !larger && (size != preset.Smoke || asked == preset.Smoke) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// made are the runs of the plan that are in the store.
func (o *opened) made() (runs []page.Run, err error) {
	for _, run := range o.Runs() {
		artifact, err := o.store.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue // what was made from it is here
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, page.Run{Title: run.Title, Manifest: artifact.Manifest})
	}
	return runs, nil
}
