package studies

import (
	"errors"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Found holds the existing results of a paper's study.
type Found struct {
	Preset  string
	Results study.Results // nil without results
	From    *Opened       // the study that was read
	Said    []string      // sentences on missing results
}

// Found reads a study at the largest preset, up to the reader's, that has complete repetitions. It computes nothing.
func (s *Reader) Found(paper string) (f Found, err error) {
	if f, known := s.foundOf[paper]; known {
		return f, nil
	}
	f.Preset = s.Flags.Preset
	for _, size := range upTo(s.Flags.Preset, papers.Of(paper).Presets) {
		flags := s.Flags
		flags.Preset = size
		o, err := Open(paper, flags, s.Stderr)
		if err != nil && size == preset.Paper {
			f.Said = append(f.Said, fmt.Sprintf("There are no results at the preset %s: %v.", size, err))
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
		f.Preset, f.From = size, o
		break
	}
	s.foundOf[paper] = f
	return f, nil
}

// Richest reads the preset of a study that repeats mini with more repetitions. It returns no results if the study has no
// such preset, if its runs are not all made, or if the reader asks for a smaller preset than mini.
func (s *Reader) Richest(paper string) (f Found, err error) {
	f.Preset = papers.Of(paper).Richest
	if f.Preset == "" || !slices.Contains(upTo(s.Flags.Preset, preset.Names), preset.Whole) {
		return f, nil
	}
	flags := s.Flags
	flags.Preset = f.Preset
	if f.From, err = Open(paper, flags, s.Stderr); err != nil {
		return f, err
	}
	whole, err := f.read(f.From)
	if !whole || len(f.Said) > 0 {
		f.Results = nil
	}
	return f, err
}

// read reads all repetitions, or the complete ones if the study supports that. It reports whether there are any.
func (f *Found) read(o *Opened) (whole bool, err error) {
	missing, err := o.Missing(o.Store)
	if err != nil {
		return false, err
	}
	if len(missing) == 0 {
		f.Results, err = o.Read(o.Store)
		return err == nil, err
	}
	f.Said = append(f.Said, fmt.Sprintf("The preset %[1]s lacks %[2]d of %[3]d runs; compute them with "+
		"unlearnlab run %[4]s --preset %[1]s.", o.Preset, len(missing), len(o.Runs()), o.Study.Paper))
	if o.Part == nil {
		return false, nil
	}
	results, err := o.Part(o.Store)
	if errors.As(err, new(*study.Absent)) {
		return false, nil
	}
	f.Results = results
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
