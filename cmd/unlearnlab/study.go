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
}

func (f *studyFlags) add(command *cobra.Command) {
	preset := os.Getenv(kernelext.PresetVariable)
	if preset == "" {
		preset = "quick"
	}
	command.Flags().StringVar(&f.preset, "preset", preset, "quick or mini")
	command.Flags().StringVar(&f.home, "home", "", "the laboratory's folder (default $"+store.HomeVariable+", else unlearnlab in the user's cache folder)")
	command.Flags().StringVar(&f.device, "device", "", "what computes (default $"+device.Variable+", else the best there is)")
	command.Flags().IntVar(&f.workers, "workers", 0, "runs at a time (default: one a processor core, one on XLA)")
}

// opened is a study with the store of its results.
type opened struct {
	plan    *salmu.Plan
	store   *store.Store
	workers int
}

// openStudy lays the study of a paper out.
func openStudy(paper string, f studyFlags) (*opened, error) {
	if err := checkStudy(paper); err != nil {
		return nil, err
	}
	preset, err := salmu.Named(f.preset)
	if err != nil {
		return nil, usageError{err}
	}
	folder := f.home
	if folder == "" {
		if folder, _, err = store.Home(); err != nil {
			return nil, err
		}
	}
	s, err := salmu.OpenStore(folder)
	if err != nil {
		return nil, err
	}
	o := &opened{store: s, workers: f.workers}
	o.plan = salmu.NewPlan(preset, compute.NewLab(func() (*device.Device, error) { return o.open(f.device) }))
	if o.workers == 0 {
		o.workers = runtime.NumCPU()
	}
	return o, nil
}

// open opens the device and says which.
func (o *opened) open(wish string) (*device.Device, error) {
	d, err := device.Open(wish)
	if err == nil {
		fmt.Fprintf(os.Stderr, "computing on %s\n", d)
	}
	return d, err
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

// complete makes what is missing and tells how it goes.
func (o *opened) complete(stderr io.Writer) error {
	missing, err := o.plan.Missing(o.store)
	if err != nil || len(missing) == 0 {
		return err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	shown := newProgress(stderr)
	err = o.plan.Execute(ctx, o.store, study.Options{Workers: o.workers, Report: shown.report})
	shown.done()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; what is made is kept, the same command goes on from there")
	}
	return err
}

// results makes what is missing and reads the scores.
func (o *opened) results(stderr io.Writer) (*salmu.Results, error) {
	if err := o.complete(stderr); err != nil {
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
	o, err := openStudy(paper, s.flags)
	if err != nil {
		return nil, err
	}
	r, err := o.results(s.stderr)
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
