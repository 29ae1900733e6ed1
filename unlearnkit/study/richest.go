package study

import (
	"errors"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// RichestFirst returns the presets of the study up to a size, the richest first. A preset that repeats mini with more
// repetitions precedes it. The numbers of the preset smoke mean nothing, so smoke is only included if it is the limit.
func (s *Study) RichestFirst(limit string) (sizes []string) {
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

// Reading returns the presets from which results are read if no preset is named: the presets up to mini, then the presets
// that ask other questions. The paper preset needs a download.
func (s *Study) Reading() []string {
	return append(s.RichestFirst(preset.Whole), slices.DeleteFunc(slices.Clone(s.Beside), func(size string) bool {
		return size == s.Richest
	})...)
}

// Complete reports whether all results of a preset are in the folder's store or ship with the program.
func (s *Study) Complete(folder, preset string) (bool, error) {
	plan, err := s.Plan(Request{Preset: preset})
	if err != nil {
		return false, err
	}
	opened, err := s.OpenStore(folder)
	if err != nil {
		return false, err
	}
	missing, err := plan.Missing(opened)
	return len(missing) == 0, err
}

// IsLack reports whether an error means that a preset lacks a table, which another preset may have.
func (s *Study) IsLack(err error) bool { return errors.As(err, new(*Lacks)) }
