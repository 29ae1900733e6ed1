package studies

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// unaskedLimit is the longest computation that a command starts unasked. A table should appear soon, but a study takes
// hours.
const unaskedLimit = 5 * time.Minute

// AddReading adds the flags of commands that read results and compute missing ones.
func (f *Flags) AddReading(command *cobra.Command) {
	f.Add(command)
	size := command.Flags().Lookup("preset")
	f.Preset = os.Getenv(kernelext.PresetVariable)
	size.DefValue = f.Preset
	if f.Preset == "" {
		size.Usage += " (default: the richest whose results exist)"
	}
	f.AddCompute(command)
}

// AddWhole adds the flags that all commands on a study share. The default preset is the smallest that has a paper's
// whole structure, so that evaluate judges what data export wrote.
func (f *Flags) AddWhole(command *cobra.Command) {
	f.Add(command)
	size := command.Flags().Lookup("preset")
	size.DefValue = cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Whole)
	f.Preset = size.DefValue
}

// AddCompute adds the flag --compute.
func (f *Flags) AddCompute(command *cobra.Command) {
	command.Flags().BoolVar(&f.compute, "compute", false,
		fmt.Sprintf("compute missing results even if that takes more than %.0f minutes", unaskedLimit.Minutes()))
}

// Results reads the scores for the named tables, or all scores. It first computes missing results if that is fast or if
// --compute is set. Otherwise it reads the complete repetitions, if the study supports that.
func (o *Opened) Results(tables ...string) (study.Results, error) {
	found, err := o.Read(o.Store, tables...)
	if !errors.As(err, new(*study.Absent)) {
		return found, err
	}
	if !o.compute {
		if short, err := o.shortage(o.Plan, o.Ends()); err != nil {
			return nil, err
		} else if short != nil {
			return o.part(short, tables...)
		}
	}
	if err := o.Complete(o.Ends()); err != nil {
		return nil, err
	}
	return o.Read(o.Store, tables...)
}

// CompleteUnasked computes missing results among the wanted runs. It returns a [Shortage] if that takes long and
// --compute is not set.
func (o *Opened) CompleteUnasked(wanted []*study.Run) error {
	if !o.compute {
		if short, err := o.shortage(o.Plan, wanted); err != nil {
			return err
		} else if short != nil {
			return short
		}
	}
	return o.Complete(wanted)
}

// part returns the results without methods that are not computed, or of the complete repetitions. Once, it prints what
// is missing.
func (o *Opened) part(short *Shortage, tables ...string) (study.Results, error) {
	if shown, err := o.Shown(o.Store); err != nil {
		return nil, err
	} else if shown != o.PresetPlan {
		return shown.Read(o.Store, tables...)
	}
	if o.Part == nil {
		return nil, short
	}
	found, err := o.Part(o.Store)
	if errors.As(err, new(*study.Absent)) {
		return nil, short
	}
	if err == nil && !o.reported {
		o.reported = true
		fmt.Fprintf(o.Stderr, "only complete repetitions are shown: %v\n", short)
	}
	return found, err
}

// Shortage is the error for missing results that would take too long to compute unasked.
type Shortage struct {
	Paper, Preset string
	missing, all  int
	first         string
	takes         time.Duration
}

func (s *Shortage) Error() string {
	return fmt.Sprintf("the preset %s of %s lacks %d of %d runs, from %q on, about %s of computing at the pace of "+
		"the finished runs; compute them with unlearnlab run %s --preset %s, or add --compute", s.Preset, s.Paper,
		s.missing, s.all, s.first, roughly(s.takes), s.Paper, s.Preset)
}

// roughly formats a time in minutes or hours.
func roughly(d time.Duration) string {
	if d < 2*time.Hour {
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f hours", d.Hours())
}

// shortage describes the missing results if computing them takes longer than unaskedLimit. It returns nil for short
// presets, and if the time is unknown because no run has finished.
func (o *Opened) shortage(plan *study.Plan, wanted []*study.Run) (*Shortage, error) {
	missing, err := plan.Missing(o.Store, wanted...)
	if err != nil || len(missing) == 0 || slices.Contains(preset.Short, o.Preset) {
		return nil, err
	}
	takes, known, err := plan.Estimate(o.Store, missing)
	if err != nil || !known || takes <= unaskedLimit {
		return nil, err
	}
	return &Shortage{Paper: o.Study.Paper, Preset: o.Preset, missing: len(missing), all: len(plan.Runs()),
		first: missing[0].Title, takes: takes}, nil
}
