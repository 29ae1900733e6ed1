package studies

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Found holds the existing results of a study.
type Found struct {
	Preset  string
	Results study.Results // results of the study; nil if there are none
	From    *Opened       // study that was read
	Said    []string      // sentences about missing results
}

// Found reads a study at the richest preset, up to the reader's, that has complete repetitions. It computes nothing.
func (s *Reader) Found(paper string) (Found, error) {
	f := Found{Preset: s.Flags.Preset}
	for _, size := range papers.Of(paper).RichestFirst(s.Flags.Preset) {
		at, err := s.At(paper, size)
		if err != nil {
			return f, err
		}
		f.Said = append(f.Said, at.Said...)
		if at.Results != nil {
			f.Preset, f.Results, f.From = at.Preset, at.Results, at.From
			break
		}
	}
	return f, nil
}

// At reads a study's existing results at a preset. The richest preset counts as existing only if no run is missing and
// it shows all guests.
func (s *Reader) At(paper, size string) (f Found, err error) {
	at := [2]string{paper, size}
	if f, known := s.foundAt[at]; known {
		return f, nil
	}
	flags := s.Flags
	flags.Preset, f.Preset = size, size
	if f.From, err = Open(paper, flags, s.Stderr); err != nil {
		if size != preset.Paper {
			return f, err
		}
		f.Said = append(f.Said, fmt.Sprintf("There are no results at the preset %s: %v.", size, err))
	} else if hides, err := f.From.Study.HidesGuests(f.From.Store, size); err != nil {
		return f, err
	} else if hides {
		f.Said = append(f.Said, fmt.Sprintf("The preset %s lacks models from elsewhere that were evaluated at %s, "+
			"which is shown here.", size, preset.Whole))
	} else if err := f.read(size == papers.Of(paper).Richest); err != nil {
		return f, err
	}
	s.foundAt[at] = f
	return f, nil
}

// Richest calls do with a study's results and their preset. If s.Existing is set, it begins with the richest existing
// results up to the reader's preset, and continues with less rich ones while do returns a [study.Lacks].
func (s *Reader) Richest(paper string, do func(r study.Results, size string) error) error {
	if !s.Existing {
		r, err := s.Results(paper)
		if err != nil {
			return err
		}
		return do(r, s.Flags.Preset)
	}
	var lacks error
	for _, size := range papers.Of(paper).RichestFirst(s.Flags.Preset) {
		f, err := s.At(paper, size)
		if err != nil {
			return err
		}
		if f.Results == nil {
			continue
		}
		if err = do(f.Results, size); !errors.As(err, new(*study.Lacks)) {
			return err
		} else if lacks == nil {
			lacks = err
		}
	}
	if lacks == nil {
		lacks = &study.Lacks{Preset: s.Flags.Preset, Why: "has no results of " + paper + " yet"}
	}
	return lacks
}

// read reads the results if no run is missing. Otherwise it reads the complete repetitions, if the study supports that
// and whole is false.
func (f *Found) read(whole bool) error {
	o := f.From
	missing, err := o.Missing(o.Store)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		f.Results, err = o.Read(o.Store)
		return err
	}
	if shown, err := o.Shown(o.Store); err != nil {
		return err
	} else if shown != o.PresetPlan {
		f.Results, err = shown.Read(o.Store)
		return err
	}
	if whole {
		return nil
	}
	f.Said = append(f.Said, fmt.Sprintf("The preset %[1]s lacks %[2]d of %[3]d runs; compute them with "+
		"unlearnlab run %[4]s --preset %[1]s.", o.Preset, len(missing), len(o.Runs()), o.Study.Paper))
	if o.Part == nil {
		return nil
	}
	results, err := o.Part(o.Store)
	if errors.As(err, new(*study.Absent)) {
		return nil
	}
	f.Results = results
	return err
}
