// Package studies opens studies for the commands that read them.
package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Flags holds the flags that all commands on a study share.
type Flags struct {
	Preset, Home, device string
	compute              bool // compute missing results, however long that takes
	workers              int
	Seeds                int                // number of repetitions; 0 for the preset's
	Models               guest.Models       // models of guests that may be imported
	own                  map[string]*string // flags for single studies, by name
	preset               *pflag.Flag        // flag that sets Preset; nil if no command line does
}

func (f *Flags) Add(command *cobra.Command) {
	size := cmp.Or(os.Getenv(kernelext.PresetVariable), preset.Default)
	command.Flags().StringVar(&f.Preset, "preset", size, "one of "+strings.Join(preset.Names, ", ")+furtherPresets())
	f.preset = command.Flags().Lookup("preset")
	HomeFlag(command, &f.Home)
	command.Flags().StringVar(&f.device, "device", "",
		"the device that computes (default $"+device.Variable+", else the best available)")
	command.Flags().IntVar(&f.workers, "workers", 0,
		"runs at a time (default: one for each processor core; one on XLA and with the paper preset)")
	f.own = map[string]*string{}
	for _, flag := range papers.Flags() {
		if command.Flags().Lookup(flag.Name) != nil {
			continue // the verb has its own flag with this name
		}
		f.own[flag.Name] = command.Flags().String(flag.Name, "", flag.About)
		cli.SetHeading(command.Flags().Lookup(flag.Name), cli.PaperPreset)
	}
}

// furtherPresets lists the presets that only single studies have.
func furtherPresets() (text string) {
	for _, s := range papers.All {
		if len(s.Beside) > 0 {
			text += fmt.Sprintf("; for %s also %s", s.Paper, strings.Join(s.Beside, ", "))
		}
	}
	return text
}

// request converts the flags to a request to a study.
func (f *Flags) request() study.Request {
	r := study.Request{Preset: f.Preset, Repetitions: f.Seeds, Models: f.Models,
		Flags: map[string]string{}}
	for name, value := range f.own {
		r.Flags[name] = *value
	}
	return r
}

// fitted returns the flags with a preset that the study has. If no preset is named and the study lacks the default, it
// is the study's largest that needs no download.
func (f Flags) fitted(s *study.Study) Flags {
	named := f.preset == nil || f.preset.Changed || !slices.Contains(preset.Names, f.Preset)
	if !named && !slices.Contains(s.Presets, f.Preset) {
		own := slices.DeleteFunc(slices.Clone(s.Presets), func(p string) bool { return p == preset.Paper })
		f.Preset = own[len(own)-1]
	}
	return f
}

// Opened is a study with the store of its results and all that is needed to compute them.
type Opened struct {
	*study.PresetPlan
	Study    *study.Study
	Makers   study.Makers
	Store    *store.Store
	device   func() (*device.Device, error) // opens the device on first use
	workers  int
	compute  bool // compute missing results, however long that takes
	reported bool // whether missing results have been reported
	Stderr   io.Writer
	Shard    study.Shard // part of the missing results to compute; all if it is zero
}

// Open plans the study of a paper and opens its store.
func Open(paper string, f Flags, stderr io.Writer) (*Opened, error) {
	if err := CheckPaper(paper); err != nil {
		return nil, err
	}
	if f.workers < 0 {
		return nil, cli.Usagef("--workers %d: give a number of runs at a time", f.workers)
	}
	o := &Opened{Study: papers.Of(paper), workers: f.workers, compute: f.compute, Stderr: stderr}
	f = f.fitted(o.Study)
	request := f.request()
	if err := o.Study.CheckFlags(request, papers.Taking); err != nil {
		return nil, cli.Usage(err)
	}
	if err := o.Study.Check(request); err != nil {
		return nil, cli.Usage(err)
	}
	s, err := OpenStore(f.Home)
	if err != nil {
		return nil, err
	}
	o.Store = s
	o.device = sync.OnceValues(func() (*device.Device, error) {
		d, err := device.Open(f.device)
		if f.device != "" && errors.Is(err, device.ErrUnknown) {
			return nil, cli.Usage(err)
		}
		if err == nil {
			fmt.Fprintf(stderr, "computing on %s\n", d)
		}
		return d, err
	})
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	request.Context, request.Store, request.Log = ctx, s, stderr
	o.PresetPlan, o.Makers, err = labs.PlanAndMakers(paper, request, o.device)
	return o, err
}

// runs returns the number of concurrent runs. XLA uses all processors for a single run, and memory holds only one model
// of the paper's size.
func (o *Opened) runs() (int, error) {
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

// PapersAt returns the papers that have a preset. If there are none, it returns all papers, so that opening the first
// one reports its presets.
func PapersAt(preset string) []string {
	if papers := papers.At(preset); len(papers) > 0 {
		return papers
	}
	return papers.Papers()
}

// Complete computes missing results among the wanted runs and shows the progress.
func (o *Opened) Complete(wanted []*study.Run) error {
	return o.complete(o.Plan, wanted)
}

// complete computes missing results among the wanted runs of a plan.
func (o *Opened) complete(plan *study.Plan, wanted []*study.Run) error {
	missing, err := plan.Missing(o.Store, wanted...)
	if err != nil {
		return err
	}
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	if len(missing) == 0 {
		return plan.Share(ctx, o.Store)
	}
	if err := o.Store.Make(); err != nil { // before anything is computed
		return err
	}
	workers, err := o.runs()
	if err != nil {
		return err
	}
	shown := cli.NewProgress(o.Stderr)
	err = plan.Make(ctx, o.Store, o.Makers, study.Options{Workers: workers, Report: shown.Report, Shard: o.Shard}, wanted...)
	shown.Done()
	if err := interrupted(err); errors.Is(err, cli.ErrLater) {
		return err
	}
	if errors.Is(err, study.ErrAwaited) || errors.Is(err, store.ErrUnreachable) {
		return cli.Later(err)
	}
	return err
}

// interrupted replaces the error of an ended context.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return cli.Interrupted("finished results are kept")
	}
	return err
}

// Reader reads papers' studies at one preset and caches the results.
type Reader struct {
	Flags    Flags
	Stderr   io.Writer
	Existing bool // compute nothing, and read each study at its richest existing preset up to the given one
	read     map[string]readResult
	foundAt  map[[2]string]Found // results by paper and preset
}

type readResult struct {
	found study.Results
	err   error
}

func NewReader(flags Flags, stderr io.Writer) *Reader {
	return &Reader{Flags: flags, Stderr: stderr, read: map[string]readResult{}, foundAt: map[[2]string]Found{}}
}

// Results returns a study's results, read by [Opened.Results].
func (s *Reader) Results(paper string) (study.Results, error) {
	if r, known := s.read[paper]; known {
		return r.found, r.err
	}
	var r readResult
	o, err := Open(paper, s.Flags, s.Stderr)
	if err != nil {
		return nil, err
	}
	if r.found, r.err = o.Results(); r.err == nil || errors.As(r.err, new(*Shortage)) {
		s.read[paper] = r
	}
	return r.found, r.err
}
