package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu/compute"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// studyFlags are those of all verbs that read a study.
type studyFlags struct {
	preset, home, device string
	workers              int
	seeds                int // in place of the preset's; 0 leaves them
	folders              compute.Folders
}

func (f *studyFlags) add(command *cobra.Command) {
	preset := os.Getenv(kernelext.PresetVariable)
	if preset == "" {
		preset = "quick"
	}
	command.Flags().StringVar(&f.preset, "preset", preset, "smoke, quick, mini or paper")
	homeFlag(command, &f.home)
	command.Flags().StringVar(&f.device, "device", "",
		"what computes (default $"+device.Variable+", else the best there is)")
	command.Flags().IntVar(&f.workers, "workers", 0,
		"runs at a time (default: one a processor core, one on XLA and of the paper preset)")
	command.Flags().StringVar(&f.folders.Models, "models", "",
		"paper preset: the folder with the published models (default: that of the last time)")
	command.Flags().StringVar(&f.folders.ImageNet, "imagenet", "",
		"paper preset: ImageNet's validation set, a folder a class, for GenKnow")
	command.Flags().StringVar(&f.folders.Retain, "retain", "",
		"paper preset: 80,000 pictures of the original training data with captions beside them, for the methods that "+
			"walk through them")
}

// addData adds the flag of the verbs that may be the first to see a download.
func (f *studyFlags) addData(command *cobra.Command) {
	command.Flags().StringVar(&f.folders.Data, "data", "",
		"paper preset: the folder of cvc-mmu/salmubench-512-redistributed (default: that of the last time)")
}

// opened is a study with the store of its results.
type opened struct {
	*laid
	workbench
	paper   string
	workers int
}

// openStudy lays the study of a paper out.
func openStudy(paper string, f studyFlags, stderr io.Writer) (*opened, error) {
	if err := checkStudy(paper); err != nil {
		return nil, err
	}
	if f.workers < 0 {
		return nil, usagef("--workers %d: give a number of runs at a time", f.workers)
	}
	e := experimentOf(paper)
	if err := e.check(f); err != nil {
		return nil, usageError{err}
	}
	s, err := openStore(f.home)
	if err != nil {
		return nil, err
	}
	o := &opened{paper: paper, workers: f.workers, workbench: workbench{store: s, stderr: stderr}}
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
	o.laid, err = e.lay(f, o.workbench)
	return o, err
}

// runs is how many runs go on at a time: XLA spreads one over all processors, pure Go has some left. Of models of the
// paper's size memory holds one.
func (o *opened) runs() (int, error) {
	if o.workers > 0 {
		return o.workers, nil
	}
	d, err := o.device()
	if err != nil {
		return 0, err
	}
	if d.XLA() || o.large {
		return 1, nil
	}
	return runtime.NumCPU(), nil
}

func checkStudy(paper string) error {
	if err := checkPaper(paper); err != nil {
		return err
	}
	if slices.Contains(studied, paper) {
		return nil
	}
	return usagef("%s has no study yet; there is one of %s", paper, strings.Join(studied, ", "))
}

// untilInterrupted is a context that Ctrl-C ends, and a request to terminate.
func untilInterrupted() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// complete makes what is missing of the wanted runs and tells how it goes.
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
	err = o.Make(ctx, o.store, study.Options{Workers: workers, Report: shown.report}, wanted...)
	shown.done()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; what is made is kept, the same command goes on from there")
	}
	return err
}

// results makes what is missing and reads the scores.
func (o *opened) results() (findings, error) {
	if err := o.complete(o.Ends()); err != nil {
		return nil, err
	}
	return o.read(o.store)
}

// studies are those of all papers at one preset, each opened and read once.
type studies struct {
	flags  studyFlags
	stderr io.Writer
	read   map[string]findings
}

func newStudies(flags studyFlags, stderr io.Writer) *studies {
	return &studies{flags, stderr, map[string]findings{}}
}

// results are the scores of a paper's study; what is missing is made.
func (s *studies) results(paper string) (findings, error) {
	if r, known := s.read[paper]; known {
		return r, nil
	}
	o, err := openStudy(paper, s.flags, s.stderr)
	if err != nil {
		return nil, err
	}
	r, err := o.results()
	if err == nil {
		s.read[paper] = r
	}
	return r, err
}

// tables are those that a paper's study makes, certified, and what holds of its claims; none without a study.
func (s *studies) tables(paper string) ([]*report.Table, error) {
	e := experimentOf(paper)
	if !slices.Contains(studiesAt(s.flags.preset), paper) {
		return nil, nil
	}
	r, err := s.results(paper)
	if err != nil {
		return nil, err
	}
	tables := []*report.Table{claimsTable(e, r.Claims())}
	add := func(table *report.Table, err error) error {
		if missing := new(concealment.NotShown); errors.As(err, &missing) {
			_, err = fmt.Fprintln(s.stderr, missing)
			return err
		}
		tables = append(tables, table)
		return err
	}
	for _, number := range e.tables {
		for _, certified := range []bool{false, true} {
			if err := add(r.Table(number, certified)); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range e.further {
		if err := add(t.table(r)); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
