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
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu/compute"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// studied are the papers whose experiments are here.
var studied = []string{"salmu"}

// studyFlags are those of all verbs that read a study.
type studyFlags struct {
	preset, home, device string
	workers              int
	worlds               int // in place of the preset's; 0 leaves them
	folders              compute.Folders
}

func (f *studyFlags) add(command *cobra.Command) {
	preset := os.Getenv(kernelext.PresetVariable)
	if preset == "" {
		preset = "quick"
	}
	command.Flags().StringVar(&f.preset, "preset", preset, "smoke, quick, mini or paper")
	homeFlag(command, &f.home)
	command.Flags().StringVar(&f.device, "device", "", "what computes (default $"+device.Variable+", else the best there is)")
	command.Flags().IntVar(&f.workers, "workers", 0, "runs at a time (default: one a processor core, one on XLA and of the paper preset)")
	command.Flags().StringVar(&f.folders.Models, "models", "", "paper preset: the folder with the published models (default: that of the last time)")
	command.Flags().StringVar(&f.folders.ImageNet, "imagenet", "", "paper preset: ImageNet's validation set, a folder a class, for GenKnow")
	command.Flags().StringVar(&f.folders.Retain, "retain", "", "paper preset: 80,000 pictures of the original training data with captions beside them, for the methods that walk through them")
}

// addData adds the flag of the verbs that may be the first to see a download.
func (f *studyFlags) addData(command *cobra.Command) {
	command.Flags().StringVar(&f.folders.Data, "data", "", "paper preset: the folder of cvc-mmu/salmubench-512-redistributed (default: that of the last time)")
}

// opened is a study with the store of its results.
type opened struct {
	plan    *salmu.Plan
	store   *store.Store
	workers int
	device  func() (*device.Device, error) // opened when it is first asked for
	stderr  io.Writer
}

// openStudy lays the study of a paper out.
func openStudy(paper string, f studyFlags, stderr io.Writer) (*opened, error) {
	if err := checkStudy(paper); err != nil {
		return nil, err
	}
	preset, err := f.named()
	if err != nil {
		return nil, usageError{err}
	}
	s, err := openStore(f.home)
	if err != nil {
		return nil, err
	}
	o := &opened{store: s, workers: f.workers, stderr: stderr}
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
	lab := compute.NewLab(o.device)
	if f.preset == paperPreset {
		found, err := findDownload(s, f.folders, stderr)
		if err != nil {
			return nil, err
		}
		preset, lab = salmu.Paper(found.Download), lab.Reading(found)
	}
	o.plan = salmu.NewPlan(preset, lab)
	return o, nil
}

// paperPreset is the preset of the published data and models.
const paperPreset = "paper"

// named is the preset that the flags ask for; that of the paper is known only when the published files are.
func (f studyFlags) named() (preset salmu.Preset, err error) {
	switch {
	case f.workers < 0:
		return preset, fmt.Errorf("--workers %d: give a number of runs at a time", f.workers)
	case f.preset == paperPreset && f.worlds > 1:
		return preset, fmt.Errorf("--seeds %d: the published data are one world", f.worlds)
	case f.preset == paperPreset:
		return preset, nil
	}
	if preset, err = salmu.Named(f.preset); err != nil {
		return preset, err
	}
	if f.folders != (compute.Folders{}) {
		return preset, fmt.Errorf("--data, --models, --imagenet and --retain are for --preset %s: %s has data of its own", paperPreset, f.preset)
	}
	if f.worlds > 0 {
		preset.Worlds = f.worlds
	}
	return preset, nil
}

// findDownload looks at the published files, which takes minutes the first time.
func findDownload(s *store.Store, folders compute.Folders, stderr io.Writer) (*compute.Found, error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	return compute.Find(ctx, s, folders, stderr)
}

// runs is how many runs go on at a time: XLA spreads one over all processors, pure Go has some left. Of models of the paper's size memory holds one.
func (o *opened) runs() (int, error) {
	if o.workers > 0 {
		return o.workers, nil
	}
	d, err := o.device()
	if err != nil {
		return 0, err
	}
	if d.XLA() || o.plan.Preset.Download != nil {
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
	missing, err := o.plan.Missing(o.store, wanted...)
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
	err = o.plan.Make(ctx, o.store, study.Options{Workers: workers, Report: shown.report}, wanted...)
	shown.done()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; what is made is kept, the same command goes on from there")
	}
	return err
}

// results makes what is missing and reads the scores.
func (o *opened) results() (*salmu.Results, error) {
	if err := o.complete(o.plan.Ends()); err != nil {
		return nil, err
	}
	return o.plan.Read(o.store)
}

// studies are those of all papers at one preset, each opened and read once.
type studies struct {
	flags  studyFlags
	stderr io.Writer
	read   map[string]*salmu.Results
}

func newStudies(flags studyFlags, stderr io.Writer) *studies {
	return &studies{flags, stderr, map[string]*salmu.Results{}}
}

// results are the scores of a paper's study; what is missing is made.
func (s *studies) results(paper string) (*salmu.Results, error) {
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
	if !slices.Contains(studied, paper) {
		return nil, nil
	}
	r, err := s.results(paper)
	if err != nil {
		return nil, err
	}
	tables := []*report.Table{claimsTable(r.Claims())}
	for _, number := range salmu.TableNumbers {
		for _, certified := range []bool{false, true} {
			table, err := r.Table(number, certified)
			if err != nil {
				return nil, err
			}
			tables = append(tables, table)
		}
	}
	return tables, nil
}
