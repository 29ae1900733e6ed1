package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
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

// Complete reports whether all results of a preset that are shown are in the folder's store or ship with the program (see
// [PresetPlan.Shown]), and whether the preset shows all guests (see [Study.HidesGuests]).
func (s *Study) Complete(folder, preset string) (bool, error) {
	plan, err := s.Plan(Request{Preset: preset})
	if err != nil {
		return false, err
	}
	opened, err := s.OpenStore(folder)
	if err != nil {
		return false, err
	}
	if plan, err = plan.Shown(opened); err != nil {
		return false, err
	}
	if missing, err := plan.Missing(opened); err != nil || len(missing) > 0 {
		return false, err
	}
	hides, err := s.HidesGuests(opened, preset)
	return !hides, err
}

// HidesGuests reports whether a preset is the richest one and lacks scores of guests that mini has, because its
// repetitions are not those of mini. Without a named preset, commands and pages then read mini, so that a model that
// was just evaluated there is in the tables.
func (s *Study) HidesGuests(at *store.Store, size string) (bool, error) {
	if size == "" || size != s.Richest {
		return false, nil
	}
	if all, err := guest.List(at, s.Paper); err != nil || len(all) == 0 {
		return false, err
	}
	var parts [2]int
	for i, name := range []string{size, preset.Whole} {
		plan, err := s.Plan(Request{Preset: name})
		if err != nil {
			return false, err
		}
		guests, err := plan.Guests(at)
		if err != nil {
			return false, err
		}
		for _, g := range guests {
			parts[i] += len(g.Parts)
		}
	}
	return parts[0] < parts[1], nil
}

// IsLack reports whether an error means that a preset lacks a table, which another preset may have.
func (s *Study) IsLack(err error) bool { return errors.As(err, new(*Lacks)) }

// Named finds a preset of a paper's study by its name. For an unknown name, the error lists all names, followed by the
// text more.
func Named[P any](paper, name string, presets []P, nameOf func(p P) string, more string) (found P, err error) {
	var names []string
	for _, p := range presets {
		if nameOf(p) == name {
			return p, nil
		}
		names = append(names, nameOf(p))
	}
	return found, fmt.Errorf("there is no preset %q of %s; it has %s%s", name, paper, strings.Join(names, ", "), more)
}
