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

// unaskedLimit bounds the computing that a verb starts without being asked. A table should appear soon, but a study
// takes hours.
const unaskedLimit = 5 * time.Minute

// addReading adds the flags of verbs that read results and compute missing ones.
func (f *studyFlags) addReading(command *cobra.Command) {
	f.add(command)
	command.Flags().BoolVar(&f.compute, "compute", false,
		fmt.Sprintf("compute missing results even if that takes more than %.0f minutes", unaskedLimit.Minutes()))
}

// results reads the scores, or only those of the named tables. It first computes missing results if that is fast or
// --compute is given. Otherwise it reads the complete repetitions, if the study supports that.
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

// part returns the results of the complete repetitions and reports what the others lack.
func (o *opened) part(short *shortage) (study.Results, error) {
	if o.Part == nil {
		return nil, short
	}
	found, err := o.Part(o.store)
	if errors.As(err, new(*study.Absent)) {
		return nil, short
	}
	if err == nil && !o.reported {
		o.reported = true
		fmt.Fprintf(o.stderr, "only complete repetitions are shown: %v\n", short)
	}
	return found, err
}

// shortage reports that results are missing and would take too long to compute unasked.
type shortage struct {
	paper, preset string
	missing, all  int
	first         string
	takes         time.Duration
}

func (s *shortage) Error() string {
	return fmt.Sprintf("the preset %s of %s lacks %d of %d runs, from %q on, about %s of computing at the pace of "+
		"the finished runs; compute them with unlearnlab run %s --preset %s, or add --compute", s.preset, s.paper,
		s.missing, s.all, s.first, roughly(s.takes), s.paper, s.preset)
}

// roughly formats a time in minutes or hours.
func roughly(d time.Duration) string {
	if d < 2*time.Hour {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f hours", d.Hours())
}

// shortage returns what is missing if computing it takes longer than the limit. It returns nil if the time is unknown
// because no run has finished, and for the short presets.
func (o *opened) shortage() (*shortage, error) {
	missing, err := o.Missing(o.store)
	if err != nil || len(missing) == 0 || slices.Contains(preset.Short, o.Preset) {
		return nil, err
	}
	takes, known, err := o.Estimate(o.store, missing)
	if err != nil || !known || takes <= unaskedLimit {
		return nil, err
	}
	return &shortage{paper: o.study.Paper, preset: o.Preset, missing: len(missing), all: len(o.Runs()),
		first: missing[0].Title, takes: takes}, nil
}
