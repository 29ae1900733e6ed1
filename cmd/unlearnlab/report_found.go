package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// found holds the existing results of a paper's study.
type found struct {
	preset  string
	results study.Results // nil without results
	from    *opened       // the study that was read
	said    []string      // sentences on missing results
}

// found reads a study at the largest preset, up to the reader's, that has complete repetitions. It computes nothing.
func (s *reader) found(paper string) (f found, err error) {
	if f, known := s.foundOf[paper]; known {
		return f, nil
	}
	f.preset = s.flags.preset
	for _, size := range upTo(s.flags.preset, papers.Of(paper).Presets) {
		flags := s.flags
		flags.preset = size
		o, err := openStudy(paper, flags, s.stderr)
		if err != nil && size == preset.Paper {
			f.said = append(f.said, fmt.Sprintf("There are no results at the preset %s: %v.", size, err))
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
		f.preset, f.from = size, o
		break
	}
	s.foundOf[paper] = f
	return f, nil
}

// read reads all repetitions, or the complete ones if the study supports that. It reports whether there are any.
func (f *found) read(o *opened) (whole bool, err error) {
	missing, err := o.Missing(o.store)
	if err != nil {
		return false, err
	}
	if len(missing) == 0 {
		f.results, err = o.Read(o.store)
		return err == nil, err
	}
	f.said = append(f.said, fmt.Sprintf("The preset %[1]s lacks %[2]d of %[3]d runs; compute them with "+
		"unlearnlab run %[4]s --preset %[1]s.", o.Preset, len(missing), len(o.Runs()), o.study.Paper))
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

// upTo returns the presets up to the requested one, the largest first. The preset smoke, whose numbers mean nothing, is
// only included if it was requested.
func upTo(asked string, presets []string) (sizes []string) {
	for _, size := range slices.Backward(presets) {
		larger := slices.Index(preset.Names, size) > slices.Index(preset.Names, asked)
		if !larger && (size != preset.Smoke || asked == preset.Smoke) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}
