package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// patience is how long the making of what is missing may take without being asked for: who asks for a table wants to
// read one, and the study of a paper takes hours.
const patience = 5 * time.Minute

// addReading adds the flags of verbs that read results, and make those that are missing.
func (f *studyFlags) addReading(command *cobra.Command) {
	f.add(command)
	command.Flags().BoolVar(&f.compute, "compute", false,
		fmt.Sprintf("make what is missing even if that takes more than %.0f minutes", patience.Minutes()))
}

// results reads the scores, of some tables alone where they are named. What is missing is made first, if that takes
// minutes or was asked for; if not, the repetitions are read that are whole, where the study can do with them.
func (o *opened) results(tables ...string) (study.Results, error) {
	found, err := o.Read(o.store, tables...)
	if !errors.As(err, new(*study.Absent)) {
		return found, err
	}
	if !o.compute {
		if short, err := o.shortage(); err != nil {
			return nil, err
		} else if short != nil {
			return o.part(short)
		}
	}
	if err := o.complete(o.Ends()); err != nil {
		return nil, err
	}
	return o.Read(o.store, tables...)
}

// part are the results of the repetitions that are whole; the error says what the others lack.
func (o *opened) part(short *shortage) (study.Results, error) {
	if o.Part == nil {
		return nil, short
	}
	found, err := o.Part(o.store)
	if errors.As(err, new(*study.Absent)) {
		return nil, short
	}
	if err == nil && !o.told {
		o.told = true
		fmt.Fprintf(o.stderr, "what is whole is shown: %v\n", short)
	}
	return found, err
}

// shortage is the error of results that take too long to be made on the way.
type shortage struct {
	paper, preset string
	missing, all  int
	first         string
	takes         time.Duration
}

func (s *shortage) Error() string {
	return fmt.Sprintf("the preset %s of %s lacks %d of %d runs, from %q on, about %s of computing at the pace of "+
		"those that are there: unlearnlab run %s --preset %s makes them, or --compute here", s.preset, s.paper,
		s.missing, s.all, s.first, roughly(s.takes), s.paper, s.preset)
}

// roughly is a time in minutes or hours.
func roughly(d time.Duration) string {
	if d < 2*time.Hour {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f hours", d.Hours())
}

// shortage says what is missing where that takes longer than the patience; nil where it does not, where no run was ever
// made by which one could tell, and of presets that are made to be waited for.
func (o *opened) shortage() (*shortage, error) {
	missing, err := o.Missing(o.store)
	if err != nil || len(missing) == 0 || slices.Contains(preset.Short, o.Preset) {
		return nil, err
	}
	takes, known, err := o.Estimate(o.store, missing)
	if err != nil || !known || takes <= patience {
		return nil, err
	}
	return &shortage{paper: o.study.Paper, preset: o.Preset, missing: len(missing), all: len(o.Runs()),
		first: missing[0].Title, takes: takes}, nil
}
