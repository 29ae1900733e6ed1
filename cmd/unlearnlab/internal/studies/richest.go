package studies

import (
	"errors"
	"io"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Richest calls do with the preset that the user asked for. If there is none, it calls do with the richest preset whose
// results exist, here or shipped. If do finds that the preset lacks something, Richest tries the next richest.
func (f Flags) Richest(paper string, stderr io.Writer, do func(Flags) error) error {
	if err := CheckPaper(paper); err != nil {
		return err
	}
	if f.Preset != "" {
		return do(f)
	}
	var lacks error
	for _, size := range reading(papers.Of(paper)) {
		f.Preset = size
		o, err := Open(paper, f, stderr)
		if err != nil {
			return err
		}
		if missing, err := o.Missing(o.Store); err != nil {
			return err
		} else if len(missing) > 0 {
			continue
		}
		if err := do(f); !errors.As(err, new(*study.Lacks)) {
			return err
		} else if lacks == nil {
			lacks = err
		}
	}
	if lacks != nil {
		return lacks
	}
	f.Preset = preset.Default
	return do(f)
}

// richestFirst returns the presets of a study up to a size, the richest first. A preset that repeats mini with more
// repetitions precedes it. The numbers of the preset smoke mean nothing, so smoke is only included if it is the limit.
func richestFirst(s *study.Study, limit string) (sizes []string) {
	for _, size := range slices.Backward(s.Presets) {
		larger := slices.Index(preset.Names, size) > slices.Index(preset.Names, limit)
		if larger || size == preset.Smoke && limit != preset.Smoke {
			continue
		}
		if size == preset.Whole && s.Richest != "" {
			sizes = append(sizes, s.Richest)
		}
		sizes = append(sizes, size)
	}
	return sizes
}

// reading returns the presets from which results are read: the presets up to mini, then the presets that ask other
// questions. The paper preset needs a download.
func reading(s *study.Study) []string {
	return append(richestFirst(s, preset.Whole), slices.DeleteFunc(slices.Clone(s.Beside), func(size string) bool {
		return size == s.Richest
	})...)
}
