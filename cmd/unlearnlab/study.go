package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// studyFlags holds the flags of all verbs that read a study.
type studyFlags struct {
	preset, home, device string
	compute              bool // compute missing results, however long that takes
	workers              int
	seeds                int                // number of repetitions; 0 means the preset's
	own                  map[string]*string // flags of single studies by name
}

func (f *studyFlags) add(command *cobra.Command) {
	size := cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Default)
	command.Flags().StringVar(&f.preset, "preset", size, "one of "+strings.Join(preset.Names, ", "))
	homeFlag(command, &f.home)
	command.Flags().StringVar(&f.device, "device", "",
		"the device that computes (default $"+device.Variable+", else the best available)")
	command.Flags().IntVar(&f.workers, "workers", 0,
		"runs at a time (default: one for each processor core; one on XLA and with the paper preset)")
	f.own = map[string]*string{}
	for _, flag := range papers.Flags() {
		if command.Flags().Lookup(flag.Name) != nil {
			continue // the verb has another flag of that name
		}
		f.own[flag.Name] = command.Flags().String(flag.Name, "", flag.About)
	}
}

// request returns the request to a study.
func (f *studyFlags) request() study.Request {
	r := study.Request{Preset: f.preset, Repetitions: f.seeds, Flags: map[string]string{}}
	for name, value := range f.own {
		r.Flags[name] = *value
	}
	return r
}

// opened is a study with the store of its results and everything that computes them.
type opened struct {
	*study.PresetPlan
	study    *study.Study
	makers   study.Makers
	store    *store.Store
	device   func() (*device.Device, error) // opens the device on first use
	workers  int
	compute  bool // compute missing results, however long that takes
	reported bool // missing results have been reported
	stderr   io.Writer
}

// openStudy plans the study of a paper.
func openStudy(paper string, f studyFlags, stderr io.Writer) (*opened, error) {
	if err := checkPaper(paper); err != nil {
		return nil, err
	}
	if f.workers < 0 {
		return nil, usagef("--workers %d: give a number of runs at a time", f.workers)
	}
	o := &opened{study: papers.Of(paper), workers: f.workers, compute: f.compute, stderr: stderr}
	request := f.request()
	if err := o.study.CheckFlags(request, papers.Taking); err != nil {
		return nil, usageError{err}
	}
	if err := o.study.Check(request); err != nil {
		return nil, usageError{err}
	}
	s, err := openStore(f.home)
	if err != nil {
		return nil, err
	}
	o.store = s
	o.device = sync.OnceValues(func() (*device.Device, error) {
		d, err := device.Open(f.device)
		if f.device != "" && errors.Is(err, device.ErrUnknown) {
			return nil, usageError{err}
		}
		if err == nil {
			fmt.Fprintf(stderr, "computing on %s\n", d)
		}
		return d, err
	})
	ctx, cancel := untilInterrupted()
	defer cancel()
	request.Context, request.Store, request.Log = ctx, s, stderr
	o.PresetPlan, o.makers, err = train.Lay(paper, request, o.device)
	return o, err
}

// runs returns the number of concurrent runs. XLA uses all processors for one run, and memory holds only one model of
// the paper's size.
func (o *opened) runs() (int, error) {
	if o.workers > 0 {
		return o.workers, nil
	}
	d, err := o.device()
	if err != nil {
		return 0, err
	}
	if d.XLA() || o.Large {
		return 1, nil
	}
	return runtime.NumCPU(), nil
}

// papersAt returns the papers that have a preset. If none has it, papersAt returns all papers, so that the first can
// report its presets.
func papersAt(preset string) []string {
	if papers := papers.At(preset); len(papers) > 0 {
		return papers
	}
	return papers.Papers()
}

// complete computes the missing results among the wanted runs and shows the progress.
func (o *opened) complete(wanted []*study.Run) error {
	missing, err := o.Missing(o.store, wanted...)
	if err != nil || len(missing) == 0 {
		return err
	}
	ctx, cancel := untilInterrupted()
	defer cancel()
	workers, err := o.runs()
	if err != nil {
		return err
	}
	shown := newProgress(o.stderr)
	err = o.Make(ctx, o.store, o.makers, study.Options{Workers: workers, Report: shown.report}, wanted...)
	shown.done()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; finished results are kept, and the same command continues")
	}
	return err
}

// reader reads papers' studies at one preset and caches the results.
type reader struct {
	flags    studyFlags
	stderr   io.Writer
	existing bool // compute nothing; read each study at its largest existing preset up to the given one
	read     map[string]readResult
	foundOf  map[string]found
}

// readResult is the result of reading a study.
type readResult struct {
	found study.Results
	err   error
}

func newReader(flags studyFlags, stderr io.Writer) *reader {
	return &reader{flags: flags, stderr: stderr, read: map[string]readResult{}, foundOf: map[string]found{}}
}

// results returns the results of a paper's study as [opened.results] reads them.
func (s *reader) results(paper string) (study.Results, error) {
	if s.existing {
		found, err := s.found(paper)
		if err == nil && found.results == nil {
			err = &study.Lacks{Preset: s.flags.preset, Why: "has no results of " + paper + " yet"}
		}
		return found.results, err
	}
	if r, known := s.read[paper]; known {
		return r.found, r.err
	}
	var r readResult
	o, err := openStudy(paper, s.flags, s.stderr)
	if err != nil {
		return nil, err
	}
	if r.found, r.err = o.results(); r.err == nil || errors.As(r.err, new(*shortage)) {
		s.read[paper] = r
	}
	return r.found, r.err
}
